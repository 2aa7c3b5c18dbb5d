import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { finish, write } from '../support/scripted-model.ts'
import { times } from '../support/soak.ts'
import { KillWorld } from './build-kills.ts'

/** The number of kills during shipping: one per deployment, at different times after its start. One more kill interrupts a rollback. */
const KILLS = times(3, 20)
const SHIP_MS = 900
const SETTLED_MS_MAX = 60_000

interface Deploy {
  state: string
  url: string | null
  sha: string | null
  builtSha: string | null
}
interface Deployments {
  managed: { id: string; kind: string; name: string; status: string; version: string | null }[]
  releases: { sha: string; version: string | null; current: boolean }[]
}

const turnsWriting = (word: string) => [
  { toolCalls: [write('public/word.txt', word)] },
  { toolCalls: [finish()], repeat: true },
]

describe('shipping and a rollback are completed after a crash', () => {
  let world: KillWorld
  let ticket = ''
  let project = ''
  before(async () => {
    world = await KillWorld.open()
    ticket = await world.openTicket('ship', turnsWriting('word 0'))
    project = ticket.split('/tickets')[0] ?? ''
    await buildWord('word 0')
    await world.ann.call(`POST ${project}/deploy`)
  })
  after(() => world.close())

  async function buildWord(word: string): Promise<void> {
    await world.model.script('ship', turnsWriting(word))
    const { status } = await world.ann.call<{ status: string }>(`POST ${ticket}/build`, {})
    assert.equal(status, 'built')
  }
  const readDeployments = () => world.ann.call<Deployments>(`GET ${project}/deployments`)

  async function killDuring(route: string, afterMs: number): Promise<void> {
    const dying = world.ann.request(route).catch(() => null)
    await sleep(afterMs)
    await world.service.kill()
    await dying
    await world.service.restart()
  }

  async function waitUntilDeployed(): Promise<Deploy> {
    for (const end = performance.now() + SETTLED_MS_MAX; performance.now() < end; await sleep(50)) {
      const deploy = await world.ann.call<Deploy>(`GET ${project}/deploy`)
      if (deploy.state !== 'deploying') return deploy
    }
    throw new Error('the ship did not settle')
  }

  /**
   * Requests a reconciliation until one succeeds. The service refuses it while another operation changes the
   * project, so no operation is running when this function returns.
   */
  async function waitForReconcile(): Promise<object> {
    for (const end = performance.now() + SETTLED_MS_MAX; performance.now() < end; await sleep(50)) {
      const answer = await world.ann.request(`POST ${project}/reconcile`)
      const { data } = (await answer.json()) as { data: object }
      if (answer.status === 200) return data
      assert.equal(answer.status, 409)
    }
    throw new Error('the rollback did not settle')
  }

  for (let kill = 0; kill < KILLS; kill++) {
    const afterMs = Math.round((((kill + 1) * 0.618_034) % 1) * SHIP_MS)
    test(`after kill -9 ${afterMs} ms into shipping, the new version still goes live and is listed as one release`, async () => {
      const word = `word ${kill + 1}`
      await buildWord(word)
      const before = await readDeployments()
      await killDuring(`POST ${project}/deploy`, afterMs)
      let deploy = await waitUntilDeployed()
      // If the kill came before the ship request was stored, nothing was shipped, so ship again.
      if (deploy.sha !== deploy.builtSha) deploy = await world.ann.call<Deploy>(`POST ${project}/deploy`)
      assert.deepEqual([deploy.state, deploy.sha], ['live', deploy.builtSha])
      assert.equal(await wordAt(deploy.url ?? ''), word)
      const { releases, managed } = await readDeployments()
      assert.equal(releases.length, before.releases.length + 1)
      assert.deepEqual(
        managed.map(({ status }) => status),
        managed.map(() => 'ok'),
      )
    })
  }

  test('provisioning that kill -9 interrupts is completed without waiting for the lease of the killed process', async () => {
    await world.service.controlFaults('POST', {
      match: { provider: 'cloudflare', method: 'POST', path: 'calls/apps' },
      do: { hang: true },
    })
    await world.ann.call(`PUT ${project}/capabilities/call`, { enabled: true })
    while ((await world.service.controlFaults('GET')).faults[0]?.hits !== 1) await sleep(20)
    await world.service.kill()
    const leased = await world.service.query(
      `update project_leases set leased_until = now() + interval '1 hour' where purpose = 'provisioning' returning purpose`,
    )
    assert.deepEqual(leased, [{ purpose: 'provisioning' }])
    await world.service.restart()
    const stateOf = async () => {
      const { provision } = await world.ann.call<{ provision: { state: string } }>(
        `GET ${project}/capabilities/call`,
      )
      return provision.state
    }
    while ((await stateOf()) === 'creating') await sleep(50)
    assert.equal(await stateOf(), 'idle')
    const { managed } = await readDeployments()
    assert.deepEqual(
      managed
        .filter(({ kind }) => ['sfu_app', 'turn_key'].includes(kind))
        .map(({ kind, status }) => `${kind} ${status}`)
        .sort(),
      ['sfu_app ok', 'turn_key ok'],
    )
  })

  test('a rollback that kill -9 interrupts takes effect exactly once', async () => {
    const { managed, releases } = await readDeployments()
    const worker = managed.find(({ kind, version }) => kind === 'worker' && version === releases[0]?.version)
    await killDuring(`POST ${project}/resources/${worker?.id}/rollback`, 40)
    await waitForReconcile()
    // If the kill came before the rollback was stored, it did not happen, so request it again.
    if ((await waitUntilDeployed()).sha !== releases[1]?.sha)
      await world.ann.call(`POST ${project}/resources/${worker?.id}/rollback`)
    const deploy = await waitUntilDeployed()
    assert.equal(deploy.sha, releases[1]?.sha)
    assert.equal(await wordAt(deploy.url ?? ''), `word ${KILLS - 1}`)
    const { items } = await world.ann.call<{ items: { action: string }[] }>(
      `GET /activity?projectId=${project.split('/')[2]}&limit=200`,
    )
    assert.equal(items.filter(({ action }) => action === 'project.rolled_back').length, 1)
    assert.partialDeepStrictEqual(await waitForReconcile(), { repaired: [], failed: [] })
  })
})

/** Returns the word that an app serves. Connects to the loopback address, because Node does not resolve `*.localhost`. */
function wordAt(url: string): Promise<string> {
  const { host, port } = new URL(url)
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/word.txt', headers: { host } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => resolve(text.trim()))
    })
      .on('error', reject)
      .end()
  })
}
