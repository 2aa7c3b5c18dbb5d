import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { memoryAccount } from '../cloudflare/testing.ts'
import { insertDeployment } from '../deployments/store.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { recordSleeps } from '../testing/sleeps.ts'
import { rebindApps } from './rebind.ts'

describe('an update of the bindings of an app', () => {
  let app: TestApp
  before(async () => {
    app = await testApp({ localWorld: false })
  })
  after(() => app.close())

  test('an update of bindings does not touch the account while a deployment runs, however long it takes', async (t) => {
    const person = await app.signUp()
    const { data } = await person.call<{ id: string; slug: string }>('POST /projects', { name: 'Plants' })
    app.effects.prepared({ events: { 'project.created': 1 } })
    const project = { id: data.id, org_id: person.organizationId, name: 'Plants', slug: data.slug }
    await insertDeployment(app.platform.db, {
      orgId: project.org_id,
      projectId: project.id,
      tier: 'production',
      sha: 'a'.repeat(40),
      actor: 'Ada',
      at: app.clock.now(),
    })
    const waits = recordSleeps(t)
    const began = performance.now()
    // Time passes only while the update waits.
    t.mock.method(performance, 'now', () => began + waits.reduce((sum, ms) => sum + ms, 0))
    const { cloud, calls } = memoryAccount(() => [])
    const { signal } = new AbortController()
    const work = { platform: app.platform, cloud, project, actor: 'Ada', signal }
    await assert.rejects(rebindApps(work, { enabled: new Set(), isDeployJob: false }), {
      message: 'The bindings are not updated yet, because the project is still being deployed.',
    })
    assert.deepEqual(calls, [])
  })
})
