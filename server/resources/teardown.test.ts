import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { conflict } from '../http/errors.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { leaves } from '../testing/effects.ts'
import { tearDown } from './teardown.ts'

describe('the removal of the resources of a project', () => {
  let app: TestApp
  before(async () => {
    app = await testApp({ localWorld: false })
  })
  after(() => app.close())

  test('a resource that stays in its account is in the activity log once, also when two calls remove it at the same time', async () => {
    leaves({ activity: { 'resource.left': 1 } })
    const person = await app.signUp()
    const { data } = await person.call<{ id: string }>('POST /projects', { name: 'Plants' })
    app.effects.prepared({ events: { 'project.created': 1 } })
    await app.platform.pool.query(
      `insert into resources (id, org_id, project_id, tier, kind, name, account_id, state, updated_at, created_at)
       values ('res_queue', $1, $2, 'shared', 'queue', 'plants-jobs', 'acc', 'ok', now(), now())`,
      [person.organizationId, data.id],
    )
    // Both calls have listed the resource before one of them finds that its account cannot be opened.
    const both = Promise.withResolvers<void>()
    let calls = 0
    const openCloud = async () => {
      calls++
      if (calls === 2) both.resolve()
      await both.promise
      throw conflict('No account is connected.')
    }
    const platform = { ...app.platform, accounts: { ...app.platform.accounts, openCloud } }
    const project = { id: data.id, org_id: person.organizationId, name: 'Plants' }
    const { signal } = new AbortController()
    const removeAll = () => tearDown(platform, project, { actor: 'Ada', signal, leaveStuck: true })
    const done = await Promise.all([removeAll(), removeAll()])
    assert.deepEqual(
      done.map(({ remaining }) => remaining),
      [0, 0],
    )
    const { rows } = await app.platform.pool.query(
      `select target from activity where project_id = $1 and action = 'resource.left'`,
      [data.id],
    )
    assert.deepEqual(rows, [{ target: 'plants-jobs' }])
  })
})
