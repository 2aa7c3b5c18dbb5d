import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../testing/app.ts'
import { storeCloudAccount } from '../testing/cloud-account.ts'
import { leaves } from '../testing/effects.ts'
import { retryRebinds } from './resume-rebinds.ts'

describe('updates of bindings that are still due', () => {
  let app: TestApp
  before(async () => {
    app = await testApp({ localWorld: false })
  })
  after(() => app.close())

  async function dueProject(columns: object = {}, { isConnected = true } = {}): Promise<string> {
    const person = await app.signUp()
    if (isConnected) await storeCloudAccount(app, person.organizationId)
    const { data } = await person.call<{ id: string }>('POST /projects', { name: 'Plants' })
    app.effects.prepared({ events: { 'project.created': 1 } })
    await app.platform.db
      .updateTable('projects')
      .set({ rebind_due: true, ...columns })
      .where('id', '=', data.id)
      .execute()
    return data.id
  }
  const countJobs = async (projectId: string) => {
    const { rowCount } = await app.platform.pool.query(
      `select from pgboss.job where name = 'provision' and singleton_key = $1`,
      [projectId],
    )
    return rowCount
  }

  test('an update of bindings that is still due is queued again, once, unless its project is being deleted or needs no update', async () => {
    leaves({ jobs: { provision: 1 } })
    const due = await dueProject()
    const deleting = await dueProject({ deleting_at: app.clock.now() })
    const current = await dueProject({ rebind_due: false })
    for (let run = 0; run < 2; run++) await retryRebinds.run(app.platform, new AbortController().signal)
    assert.deepEqual([await countJobs(due), await countJobs(deleting), await countJobs(current)], [1, 0, 0])
  })

  test('no update of bindings is queued for a project whose organization has no cloud account', async () => {
    leaves({})
    const due = await dueProject({}, { isConnected: false })
    await retryRebinds.run(app.platform, new AbortController().signal)
    assert.equal(await countJobs(due), 0)
  })
})
