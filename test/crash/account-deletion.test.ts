import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { findInDatabase } from '../../server/testing/traces.ts'
import { Person } from '../support/client.ts'
import { ServiceProcess } from '../support/service.ts'
import { isSoak, times } from '../support/soak.ts'
import { waitUntil } from '../support/wait-until.ts'

const PROJECTS = times(6, 50)
/**
 * Milliseconds between a request for the next step of the deletion and the kill. There are 4 kills, and 10 with
 * `--soak`.
 */
const DEATHS_MS = isSoak ? [10, 20, 40, 60, 90, 150, 250, 400, 700, 1200] : [10, 40, 90, 200]
/** The time limit for the background set-up of the cloud account, and of all projects together. */
const SETUP_LIMIT = { limitMs: times(60_000, 240_000) }
const CANARY = 'canary4711'

interface Plan {
  projectsLeft: number
  failed: object[]
  deletion: object | null
}

describe('the deletion of an account completes despite crashes', () => {
  let service: ServiceProcess | undefined
  after(() => service?.dispose())

  test('an account deletion during which the service is killed repeatedly completes and leaves no data of the account', async () => {
    service = await ServiceProcess.start()
    const email = `${CANARY}@example.test`
    const ann = await Person.signUp(service.url, email, CANARY)
    await waitUntil(async () => {
      const { cloudflare } = await ann.call<{ cloudflare: { connected: boolean } }>('GET /connections')
      return cloudflare.connected
    }, SETUP_LIMIT)
    const ids: string[] = []
    for (let n = 0; n < PROJECTS; n++) {
      const { id } = await ann.call<{ id: string }>('POST /projects', { name: `${CANARY} ${n}` })
      await ann.call(`PUT /projects/${id}/capabilities/data`, { enabled: true })
      await ann.call(`POST /projects/${id}/tickets`, { title: CANARY })
      ids.push(id)
    }
    await waitUntil(async () => {
      const states = await Promise.all(
        ids.map((id) => ann.call<{ provision: { state: string } }>(`GET /projects/${id}`)),
      )
      return states.every(({ provision }) => provision.state === 'idle')
    }, SETUP_LIMIT)
    const requestStep = () => ann.request('POST /account/deletion/step', { confirm: email })
    for (const diesAfterMs of DEATHS_MS) {
      const dying = requestStep().catch(() => null)
      await sleep(diesAfterMs)
      await service.kill()
      await dying
      await service.restart()
    }
    for (;;) {
      const answer = await requestStep()
      // The killed step may have completed the deletion, which also deletes the session.
      if (answer.status === 401) break
      assert.equal(answer.status, 200)
      const { data } = (await answer.json()) as { data: Plan }
      assert.deepEqual(data.failed, [])
      if (data.deletion !== null) break
    }
    const pool = new Pool({ connectionString: service.databaseUrl })
    try {
      // Only the mail about the deletion names the account. It is stored for the operator, because there is no mail server.
      assert.deepEqual(await findInDatabase(pool, [CANARY]), ['public.mails'])
      assert.equal((await pool.query('select from resources')).rowCount, 0)
    } finally {
      await pool.end()
    }
  })
})
