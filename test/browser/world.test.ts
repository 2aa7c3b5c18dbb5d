import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { buildConsole } from '../../scripts/console-build.ts'
import { openBrowserWorld } from './world.ts'

describe('the clean-up after a browser test', () => {
  const kept = { TMPDIR: process.env['TMPDIR'], SLIPWAY_CHROMIUM: process.env['SLIPWAY_CHROMIUM'] }
  const folder = mkdtempSync(join(tmpdir(), 'slipway-world-'))
  before(async () => {
    await buildConsole()
    process.env['TMPDIR'] = folder
  })
  after(() => {
    for (const [name, value] of Object.entries(kept))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    rmSync(folder, { recursive: true, force: true })
  })

  /** Returns what `openBrowserWorld` could leave behind: child processes, and data directories of a service. */
  const listTraces = () => [
    ...listChildren(),
    ...readdirSync(folder).filter((name) => name.startsWith('slipway-')),
  ]

  test('closing the service and browser of a test leaves no process and no data behind', async () => {
    const world = await openBrowserWorld()
    await world.enter('Grace Hopper')
    assert.ok(listTraces().length > 2)
    await world.close()
    assert.deepEqual(listTraces(), [])
  })

  test('when the browser of a test does not start, neither the service nor its data is left behind', async () => {
    process.env['SLIPWAY_CHROMIUM'] = '/nowhere/chromium'
    await assert.rejects(openBrowserWorld(), /nowhere\/chromium/)
    assert.deepEqual(listTraces(), [])
  })
})

function listChildren(): string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === process.pid)
}

function parentOf(pid: string): number | null {
  try {
    // The command name is in parentheses and may contain anything, so read the fields after it.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return null
  }
}
