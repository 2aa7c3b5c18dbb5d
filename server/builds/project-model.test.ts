import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { commitWhileWaiting } from '../testing/commit-while-waiting.ts'
import { setProjectModel } from './project-model.ts'
import { openQueueWorld, type QueueWorld } from './queue/testing.ts'

describe('choosing the model of a project', () => {
  let world: QueueWorld
  before(async () => {
    world = await openQueueWorld()
  })
  beforeEach(async () => {
    await world.clear()
    await world.run('delete from model_connections where id = $1', 'mod_other')
    await world.run(
      `insert into model_connections (id, org_id, provider, label, models, default_model, is_default, created_at)
       values ('mod_other', 'org_a', 'scaffold', 'Other', '{m}', 'm', false, now())`,
    )
  })
  after(() => world.database.drop())

  const choose = () => setProjectModel(world.contextOf(), 'p1', { connectionId: 'mod_other', model: 'm' })
  const chosenOf = async () =>
    (await world.run(`select model_connection_id as chosen from projects where id = 'p1'`)).rows

  test('choosing the model of a project stores the model connection and the model', async () => {
    const model = { connectionId: 'mod_other', provider: 'scaffold', model: 'm', inherited: false }
    assert.deepEqual(await choose(), model)
    assert.deepEqual(await chosenOf(), [{ chosen: 'mod_other' }])
  })

  const chooseDuring = (change: string, id: string) =>
    commitWhileWaiting(world.database.pool, (other) => other.query(change, [id]), choose)

  test('a model connection that is deleted while it is being chosen is refused with an error that names the field', async () => {
    await assert.rejects(chooseDuring('delete from model_connections where id = $1', 'mod_other'), {
      code: 'invalid_request',
      message: 'connectionId: is not a model connection of this organization',
    })
    assert.deepEqual(await chosenOf(), [{ chosen: null }])
  })

  test('choosing the model of a project that is deleted meanwhile is a 404', async () => {
    await assert.rejects(chooseDuring('delete from projects where id = $1', 'p1'), { code: 'not_found' })
  })
})
