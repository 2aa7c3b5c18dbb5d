import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { cloudFetch } from '../../server/cloudflare/fetch.ts'
import { addPlants, plantsOf, readFile, uploadFile, type MoveState } from '../../server/relocation/testing.ts'
import { Person } from '../support/client.ts'
import { serveScriptedModel } from '../support/scripted-model.ts'
import { openSecondCloud } from '../support/second-cloud.ts'
import { ServiceProcess } from '../support/service.ts'
import { shipStoringProject } from '../support/storing-project.ts'

export const RECORDS = 1_000
export const FILES = 4
const FILE_BYTES = 7 * 1024 * 1024
const SETTLED_MS_MAX = 120_000

type Move = NonNullable<MoveState['move']>

/**
 * A moment at which the service is killed while an app is moved to another account. `isIt` recognizes the moment by the progress of the
 * move.
 */
interface Moment {
  name: string
  isIt: (move: Move) => boolean
}

export async function openMoveKills() {
  const [second, model] = await Promise.all([openSecondCloud(), serveScriptedModel()])
  const service = await ServiceProcess.start(second.env)
  const ann = await Person.signUp(service.url)

  const stateOf = (path: string) => ann.call<MoveState>(`GET ${path}/deploy`)

  /** Delays the removal of workers in the local cloud, so that the test can kill the service during it. */
  async function slowRemovals(): Promise<void> {
    const match = { provider: 'cloudflare', method: 'DELETE', path: '/workers/scripts/', times: 3 }
    await service.controlFaults('POST', { match, do: { delayMs: 700 } })
  }

  async function killAt(path: string, isIt: (move: Move) => boolean): Promise<void> {
    for (const end = performance.now() + SETTLED_MS_MAX; ; await sleep(5)) {
      const { move, state } = await stateOf(path)
      assert.ok(move !== null && performance.now() < end, `the moment was never met: ${state}`)
      if (move.state !== 'waiting' && isIt(move)) break
    }
    await service.kill()
    await service.restart()
  }

  async function waitForState(path: string, isIt: (state: MoveState) => boolean): Promise<MoveState> {
    for (const end = performance.now() + SETTLED_MS_MAX; performance.now() < end; await sleep(50)) {
      const state = await stateOf(path)
      if (isIt(state)) return state
    }
    throw new Error(`the move did not settle: ${JSON.stringify(await stateOf(path))}`)
  }

  /**
   * Moves one project for each moment and kills the service at that moment. Asserts that every acknowledged
   * record and file is in the new account, and that nothing remains in the old account.
   */
  async function killAtEach(moments: readonly Moment[]): Promise<void> {
    const projects: { path: string; url: string }[] = []
    for (const [n] of moments.entries())
      projects.push(await shipStoringProject({ person: ann, model }, `Moved ${n}`))
    const { id, token } = await second.account('Acme')
    await ann.call('POST /connections/cloudflare/token', { token })
    for (const [n, { name, isIt }] of moments.entries()) {
      const { path, url } = projects[n] ?? { path: '', url: '' }
      for (let from = 0; from < RECORDS; from += 100) {
        const names = Array.from({ length: 100 }, (_, i) => `Plant ${from + i}`)
        assert.equal((await addPlants(url, names)).status, 200)
      }
      const files = Array.from({ length: FILES }, () => randomBytes(FILE_BYTES))
      const ids = await Promise.all(files.map((bytes) => uploadFile(url, bytes)))
      await second.order({ path: '/assets-upload-session', account: id }, { delayMs: 1_500 })
      await slowRemovals()
      const acknowledged = await plantsOf(url)
      const writing = writeOn(url)
      const shipping = ann.request(`POST ${path}/deploy`).catch(() => null)
      await killAt(path, isIt)
      await shipping
      const { state, url: moved } = await waitForState(path, (one) => one.state !== 'deploying')
      acknowledged.push(...(await writing.stop()))
      assert.equal(state, 'live', name)
      assert.ok(moved?.endsWith(`.localhost:${second.appsPort}`), `${name}: ${moved}`)
      const there = new Map((await plantsOf(moved ?? '')).map((plant) => [plant.id, plant]))
      assert.deepEqual(
        acknowledged.map((plant) => there.get(plant.id)),
        acknowledged,
        name,
      )
      for (const [i, bytes] of files.entries())
        assert.ok((await readFile(moved ?? '', ids[i] ?? '')).equals(bytes), `${name}: file ${i}`)
      await waitForState(path, ({ move }) => move === null)
      assert.equal((await cloudFetch(url)).status, 404, name)
      assert.equal((await addPlants(moved ?? '', ['Written there'])).status, 200, name)
    }
  }

  async function close(): Promise<void> {
    await service.dispose()
    await Promise.all([second.close(), model.close()])
  }
  return { killAtEach, close }
}
export type MoveKills = Awaited<ReturnType<typeof openMoveKills>>

/** Adds records to an app until `stop` is called, which returns the records that the app acknowledged. */
function writeOn(url: string) {
  const done = new AbortController()
  const acknowledged: Awaited<ReturnType<typeof plantsOf>> = []
  const writing = (async () => {
    for (let n = 0; !done.signal.aborted; n++) {
      // While the service is down, its local cloud is down too. A write without a response was not acknowledged.
      const { status, records } = await addPlants(url, [`Late ${n}`]).catch(() => ({
        status: 0,
        records: [],
      }))
      if (status === 200) acknowledged.push(...records)
      await sleep(20)
    }
  })()
  return {
    stop: async () => {
      done.abort()
      await writing
      return acknowledged
    },
  }
}
