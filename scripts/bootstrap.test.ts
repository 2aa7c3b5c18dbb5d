import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import packageFile from '../package.json' with { type: 'json' }
import { ROOT } from './lib.ts'

describe('the script that installs missing packages before it runs another script', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-bootstrap-'))
    const write = (path: string, text: string, mode = 0o644) => {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), text, { mode })
    }
    write('scripts/hello.mjs', 'process.stdout.write("hello")')
    copyFileSync(join(ROOT, 'scripts/bootstrap.mjs'), join(folder, 'scripts/bootstrap.mjs'))
    write('package-lock.json', '{"packages":{"node_modules/a":{},"node_modules/b":{}}}')
    write('node_modules/a/package.json', '{}')
    mkdirSync(join(folder, 'node_modules/.bin'))
    symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'))
    // Stands in for npm: installs the missing package and runs the script that npm runs at the end.
    const postinstall = packageFile.scripts.postinstall.replace('node ', `"${process.execPath}" `)
    write(
      'bin/npm',
      `#!/bin/sh\nmkdir -p node_modules/b && echo {} > node_modules/b/package.json\n${postinstall}\n`,
      0o755,
    )
  })
  after(() => rmSync(folder, { recursive: true }))

  const run = (args: string[], path: string) =>
    spawnSync(process.execPath, ['scripts/bootstrap.mjs', ...args], {
      cwd: folder,
      env: { PATH: `${join(folder, path)}:/usr/bin:/bin` },
      encoding: 'utf8',
    })
  const stamp = () => existsSync(join(folder, 'node_modules/.slipway-installed'))

  test('packages are installed before a script runs unless npm has installed all of them since the lock file changed', () => {
    assert.equal(run(['--installed'], 'none').status, 0)
    assert.equal(stamp(), false)

    const first = run(['scripts/hello.mjs'], 'bin')
    assert.deepEqual(
      [first.status, first.stdout, /Installing packages/.test(first.stderr)],
      [0, 'hello', true],
    )
    assert.equal(stamp(), true)

    const second = run(['scripts/hello.mjs'], 'none')
    assert.deepEqual([second.status, second.stdout, second.stderr], [0, 'hello', ''])

    writeFileSync(join(folder, 'package-lock.json'), '{"packages":{"node_modules/a":{}}}')
    assert.match(run(['scripts/hello.mjs'], 'bin').stderr, /Installing packages/)
    assert.equal(run(['scripts/hello.mjs'], 'none').stderr, '')
    assert.match(readFileSync(join(folder, 'node_modules/.slipway-installed'), 'utf8'), /^[0-9a-f]{64}$/)
  })
})
