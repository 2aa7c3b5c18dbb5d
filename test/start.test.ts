import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { Person } from './support/client.ts'
import { ServiceProcess } from './support/service.ts'
import { waitUntil } from './support/wait-until.ts'

const ROOT = join(import.meta.dirname, '..')

describe('npm start', () => {
  const places: ServiceProcess[] = []
  after(() => Promise.all(places.map((place) => place.dispose())))

  /** Runs `npm start` with free ports and an empty data directory. */
  async function startUnready(): Promise<{ place: ServiceProcess; npm: ChildProcess }> {
    const place = await ServiceProcess.prepare()
    places.push(place)
    const npm = spawn('npm', ['start'], {
      cwd: ROOT,
      env: { ...place.env, HOME: process.env['HOME'] ?? '' },
      stdio: 'ignore',
    })
    return { place, npm }
  }

  async function startReady() {
    const begun = await startUnready()
    await waitUntil(() => begun.place.isHealthy())
    return begun
  }

  test('SIGTERM to npm start stops the service, the database and the local provider emulators', async () => {
    const { place, npm } = await startReady()
    npm.kill('SIGTERM')
    await untilEnded(place)
  })

  test('SIGTERM to npm start stops the service and the database even while they are starting', async () => {
    const { place, npm } = await startUnready()
    await waitUntil(() => place.processes().some(({ command }) => command.includes('postgres -D')))
    npm.kill('SIGTERM')
    await untilEnded(place)
  })

  test('npm start restarts the service after kill -9, with its data', async () => {
    const { place, npm } = await startReady()
    const person = await Person.signUp(place.url)
    for (let round = 0; round < 2; round++) {
      const [pid = 0] = servicePids(place)
      process.kill(pid, 'SIGKILL')
      await waitUntil(() => servicePids(place).some((next) => next !== pid))
      await waitUntil(() => place.isHealthy())
      await person.call('GET /projects')
    }
    npm.kill('SIGTERM')
    await untilEnded(place)
  })

  test('npm start exits without a restart when a setting is invalid, and the error names the setting', async () => {
    const npm = spawn('npm', ['start'], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], SLIPWAY_PORT: 'a lot' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [said, [code]] = await Promise.all([text(npm.stderr), once(npm, 'exit')])
    assert.match(said, /SLIPWAY_PORT/)
    assert.doesNotMatch(said, /again/)
    assert.equal(code, 2)
  })

  test('kill -9 of the npm start script stops the service that it has started', async () => {
    const { place } = await startReady()
    killScripts(place)
    await untilEnded(place)
  })

  test('kill -9 of the npm start script stops the service even while it is starting', async () => {
    const { place } = await startUnready()
    await waitUntil(() => servicePids(place).length > 0)
    killScripts(place)
    await untilEnded(place)
  })
})

function killScripts(place: ServiceProcess): void {
  const scripts = place.processes().filter(({ command }) => /bootstrap\.mjs|npm start/.test(command))
  assert.ok(scripts.some(({ command }) => command.includes('scripts/bootstrap.mjs')))
  for (const { pid } of scripts) process.kill(pid, 'SIGKILL')
}

const servicePids = (place: ServiceProcess) =>
  place
    .processes()
    .filter(({ command }) => command.includes('/scripts/start.ts') && !command.includes('bootstrap.mjs'))
    .map(({ pid }) => pid)

describe('the service with default settings', () => {
  test('by default the service listens on this machine only, says so, and requests the creation of the first account', async () => {
    const place = await ServiceProcess.start({ SLIPWAY_LOCAL_WORLD: 'off' })
    try {
      await waitUntil(() => place.output.includes('Sign-up'))
      assert.doesNotMatch(place.output, /Warning/)
      assert.match(
        place.output,
        /Open to this machine only\n {2}Sign-up: open\n {2}No account exists yet: open /,
      )
      // On Linux every address of 127.0.0.0/8 is this machine, so a service that listens on all addresses would respond here.
      const { port } = new URL(place.url)
      await assert.rejects(fetch(`http://127.0.0.2:${port}/health`))
      assert.equal((await fetch(`http://127.0.0.1:${port}/health`)).status, 200)
    } finally {
      await place.dispose()
    }
  })
})

/** Waits until no process of this data directory runs. Throws with a list of the remaining processes. */
async function untilEnded(place: ServiceProcess): Promise<void> {
  await waitUntil(() => place.processes().length === 0).catch((error: unknown) => {
    assert.deepEqual(place.processes(), [])
    throw error
  })
}
