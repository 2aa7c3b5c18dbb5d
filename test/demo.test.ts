import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { run } from '../scripts/lib.ts'
import { freePorts } from '../server/testing/ports.ts'

const ROOT = join(import.meta.dirname, '..')

describe('npm run demo -- --once', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-demo-'))
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  test('the demo turns a sentence into a live app that stores a record', async () => {
    const first = await runDemo(dataDir, 'Log my workouts: exercise, date, minutes')
    assert.equal(first.code, 0, first.output)
    for (const line of [
      'Postgres',
      'Ticket captured: Log my workouts',
      'ok  tests',
      'Preview at http',
      'Live at http',
    ])
      assert.ok(first.output.includes(line), `${line} in:\n${first.output}`)
    assert.match(first.output, /The live app stored a record in workouts and gave it back/)
    assert.doesNotMatch(first.output, /goroutine|Warning/)
    assert.match(first.output.trimEnd().split('\n').at(-1) ?? '', /^Sign in with/)
    // In this app a visitor may not write, so the demo stores no record.
    const second = await runDemo(dataDir, 'A recipe app. Only members can add.')
    assert.equal(second.code, 0, second.output)
    assert.match(second.output, /✔ The live app answers [\d.]+ m?s$/m)
  })

  test('the demo fails with an explanation when nothing can be built from the ticket', async () => {
    const run = await runDemo(dataDir, 'Is this the real life?')
    assert.equal(run.code, 1)
    assert.match(run.output, /The demo failed: Nothing was built \(replied\)/)
  })
})

test('a wrong command line or setting of npm run demo ends it with exit code 2 and one line that says what is wrong', async () => {
  const { PATH } = process.env
  const misspelt = await run(process.execPath, ['scripts/demo.ts', '--tickt', 'x'], { env: { PATH } })
  assert.deepEqual(misspelt.code, 2)
  assert.match(
    misspelt.output,
    /^Unknown option '--tickt'.*\nUsage: npm run demo -- \[--ticket "<sentence>"\] \[--once\]\n$/,
  )
  const invalid = await run(process.execPath, ['scripts/demo.ts'], { env: { PATH, SLIPWAY_PORT: 'a lot' } })
  assert.equal(invalid.code, 2)
  assert.match(invalid.output, /^Slipway cannot start with this configuration:\n {2}SLIPWAY_PORT: [^\n]+\n$/)
})

async function runDemo(dataDir: string, ticket: string): Promise<{ code: number | null; output: string }> {
  const [port, local, apps] = await freePorts(3)
  const child = spawn(process.execPath, ['scripts/demo.ts', '--once', '--ticket', ticket], {
    cwd: ROOT,
    env: {
      ...process.env,
      SLIPWAY_DATA_DIR: dataDir,
      SLIPWAY_PORT: String(port),
      SLIPWAY_LOCAL_PORT: String(local),
      SLIPWAY_APPS_PORT: String(apps),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output: stripVTControlCharacters(output) }
}
