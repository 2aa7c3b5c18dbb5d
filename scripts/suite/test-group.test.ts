import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { isGone } from '../../server/testing/processes.ts'
import { ROOT } from '../lib.ts'
import { failedFiles, runGroup } from './test-group.ts'

describe('a group of test files', () => {
  let folder = ''
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-group-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  function group(source: string) {
    const file = join(folder, 'sample.test.ts')
    writeFileSync(
      file,
      `import { test } from 'node:test'\nimport { spawn } from 'node:child_process'\n${source}`,
    )
    return runGroup({ name: 'sample', files: [file] }, { isSoak: false })
  }

  test('running a group of test files returns the number of passed tests, or the output and the files of the failed tests', async () => {
    const green = await group(`test('a', () => {})\ntest('b', () => {})`)
    assert.deepEqual([green.isGreen, green.tests], [true, 2])
    const red = await group(`test('a', () => { throw new Error('the pump is dry') })`)
    assert.equal(red.isGreen, false)
    assert.match(red.output, /the pump is dry/)
    assert.deepEqual(failedFiles(green), [])
    assert.deepEqual(
      failedFiles(red).map((file) => basename(file)),
      ['sample.test.ts'],
    )
  })

  test('a failed test hook is reported with its file, and a process that exited early is reported without a file', async () => {
    const hook = await group(`import { before, describe } from 'node:test'
      describe('pumps', () => { before(() => { throw new Error('no water') }); test('a', () => {}) })`)
    assert.deepEqual(
      failedFiles(hook).map((file) => basename(file)),
      ['sample.test.ts'],
    )
    assert.deepEqual(failedFiles(await group(`test('a', () => process.exit(1))`)), [])
  })

  test('a group of test files ends when its tests do, and kills the processes that the tests left running', async () => {
    const left = await group(`test('a', () => {
      setInterval(() => {}, 1000)
      console.log('left', spawn('sleep', ['600'], { stdio: 'inherit' }).pid)
    })`)
    assert.equal(left.isGreen, true)
    const pid = Number(/left (\d+)/.exec(left.output)?.[1])
    assert.ok(await isGone(pid))
  })

  test('no test file has a hook outside of a describe, because it would run for every file of its process', () => {
    const files = globSync('{server,runtime,sdk,console,local,test,scripts,bench}/**/*.test.{ts,tsx}', {
      cwd: ROOT,
      exclude: ['**/node_modules/**'],
    })
    const hook = /^(before|after|beforeEach|afterEach)\(/m
    assert.deepEqual(
      files.filter((file) => hook.test(readFileSync(join(ROOT, file), 'utf8'))),
      [],
    )
  })
})
