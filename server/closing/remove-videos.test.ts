import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../testing/app.ts'
import { leaves } from '../testing/effects.ts'
import { removeVideos } from './remove-videos.ts'

describe('the videos of a project that is deleted', () => {
  let app: TestApp
  before(async () => {
    app = await testApp({ localWorld: false })
  })
  after(() => app.close())

  test('videos that stay in the cloud account are in the activity log once, also when the deletion takes several calls', async () => {
    leaves({ events: { 'project.deleted': 1 }, activity: { 'project.deleted': 1, 'resource.left': 1 } })
    const person = await app.signUp()
    const { data } = await person.call<{ id: string }>('POST /projects', { name: 'Films' })
    app.effects.prepared({ events: { 'project.created': 1 } })
    await app.platform.pool.query(
      `insert into capabilities (project_id, key, enabled, settings, state, generation, created_at)
       values ($1, 'video', false, '{}', 'idle', 1, now())`,
      [data.id],
    )
    const project = { id: data.id, org_id: person.organizationId, name: 'Films' }
    const nothing = { remaining: 0, removed: [], failed: [], left: [] }
    const { signal } = new AbortController()
    // The first call ends after the videos and before the project's row is deleted. No cloud account is connected.
    const first = await removeVideos(app.platform, project, nothing, {
      actor: 'Ada',
      signal,
      leaveStuck: true,
    })
    assert.equal(first.left.length, 1)
    const { data: last } = await person.call<{ teardown: { remaining: number; left: unknown[] } }>(
      `DELETE /projects/${data.id}`,
      { leaveStuck: true },
    )
    assert.deepEqual([last.teardown.remaining, last.teardown.left.length], [0, 1])
    const { rows } = await app.platform.pool.query<{ target: string }>(
      `select target from activity where project_id = $1 and action = 'resource.left'`,
      [data.id],
    )
    assert.deepEqual(rows, [{ target: 'Videos of Films' }])
  })
})
