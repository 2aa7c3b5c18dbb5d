import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openQueueWorld, type QueueWorld } from '../builds/queue/testing.ts'
import { readProject } from '../projects/store.ts'
import { commitWhileWaiting } from '../testing/commit-while-waiting.ts'
import { openTurn } from './open-turn.ts'

describe('a message to the plan agent while its project is being deleted', () => {
  let world: QueueWorld
  before(async () => {
    world = await openQueueWorld()
  })
  beforeEach(async () => {
    await world.clear()
    await world.addMessage('msg_1', 'user', 'Plan it')
    await world.addMessage('msg_2', 'agent', '')
    await world.run(`update plan_messages set status = 'failed' where id = 'msg_2'`)
  })
  after(() => world.database.drop())

  const loadProject = () => readProject(world.database.db, { orgId: 'org_a', projectId: 'p1' })

  for (const order of ['retry', { text: 'Hello', attachments: [] }] as const) {
    const what = order === 'retry' ? 'the retry of a failed reply' : 'a new message'
    test(`${what} in the plan thread is a 404 when the project is deleted meanwhile`, async () => {
      const project = await loadProject()
      const opening = commitWhileWaiting(
        world.database.pool,
        (other) => other.query(`delete from projects where id = 'p1'`),
        () => openTurn(world.contextOf(), project, order),
      )
      await assert.rejects(opening, { code: 'not_found', message: 'No such project.' })
    })

    test(`${what} in the plan thread is a conflict while the project is being deleted`, async () => {
      const project = await loadProject()
      await world.run(`update projects set deleting_at = now() where id = 'p1'`)
      await assert.rejects(openTurn(world.contextOf(), project, order), {
        code: 'conflict',
        message: 'The project is being deleted.',
      })
    })
  }
})
