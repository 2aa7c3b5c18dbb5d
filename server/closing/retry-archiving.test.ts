import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { changeDeployment, insertDeployment, readDeployment } from '../deployments/store.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { leaves } from '../testing/effects.ts'
import { retryArchiving } from './archive-project.ts'

describe('apps that could not be taken offline', () => {
  let app: TestApp
  before(async () => {
    app = await testApp({ localWorld: false })
  })
  after(() => app.close())

  async function servingApp(lifecycle: 'archived' | 'live', error: string | null) {
    const person = await app.signUp()
    const { data } = await person.call<{ id: string }>('POST /projects', { name: 'Plants' })
    app.effects.prepared({ events: { 'project.created': 1 } })
    const { db } = app.platform
    await db.updateTable('projects').set({ lifecycle }).where('id', '=', data.id).execute()
    const about = { sha: 'a'.repeat(40), actor: 'Ada', at: app.clock.now() }
    const orgId = person.organizationId
    const id = await insertDeployment(db, { orgId, projectId: data.id, tier: 'production', ...about })
    await changeDeployment(db, { org_id: orgId, id }, { status: 'live', error })
    const readJobs = async () => {
      const { rows } = await app.platform.pool.query<{ by: string }>(
        `select data->>'actor' as by from pgboss.job where name = 'deploy' and data->>'deploymentId' = $1`,
        [id],
      )
      return rows.map(({ by }) => by)
    }
    return { readJobs, readError: async () => (await readDeployment(db, orgId, id))?.error }
  }

  test('an app that still serves after its project was archived gets one more job that takes it offline', async () => {
    leaves({ jobs: { deploy: 1 } })
    const failed = await servingApp('archived', 'Cloudflare did not respond.')
    const running = await servingApp('archived', null)
    const shipped = await servingApp('live', 'An error of long ago.')
    for (let run = 0; run < 2; run++) await retryArchiving.run(app.platform, new AbortController().signal)
    assert.deepEqual(await failed.readJobs(), ['slipway'])
    assert.equal(await failed.readError(), null)
    assert.deepEqual([await running.readJobs(), await shipped.readJobs()], [[], []])
  })
})
