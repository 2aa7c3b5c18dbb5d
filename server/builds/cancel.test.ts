import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Context } from '../endpoint.ts'
import { commitWhileWaiting } from '../testing/commit-while-waiting.ts'
import { cancelBuild } from './cancel.ts'
import { openQueueWorld, type QueueWorld } from './queue/testing.ts'

describe('cancelling a build that changes at the same moment', () => {
  let world: QueueWorld
  before(async () => {
    world = await openQueueWorld()
  })
  beforeEach(async () => {
    await world.clear()
    await world.addTicket('one')
    await world.addRun('one', 'running')
  })
  after(() => world.database.drop())

  const cancel = () => cancelBuild(world.contextOf() as Context<'metrics'>, 'p1', 'one')
  const cancelDuring = (...changes: string[]) =>
    commitWhileWaiting(
      world.database.pool,
      async (other) => {
        for (const change of changes) await other.query(change)
      },
      cancel,
    )

  test('of two simultaneous requests to cancel a build one cancels it, and the other is told that no build is running', async () => {
    const answers = await Promise.allSettled([cancel(), cancel()])
    const refused = answers.filter((answer) => answer.status === 'rejected')
    assert.deepEqual(
      refused.map(({ reason }) => (reason as Error).message),
      ['No build of this ticket is running.'],
    )
  })

  test('a build that ends while it is being cancelled is not reported as publishing', async () => {
    await assert.rejects(
      cancelDuring(`update runs set status = 'succeeded', stage = 'publishing' where ticket_id = 'one'`),
      { code: 'conflict', message: 'No build of this ticket is running.' },
    )
  })

  test('a build that begins to publish while it is being cancelled continues', async () => {
    await assert.rejects(cancelDuring(`update runs set stage = 'publishing' where ticket_id = 'one'`), {
      code: 'conflict',
      message: 'The build is being published and can no longer be cancelled.',
    })
  })

  test('a build that another process takes over while it is being cancelled is cancelled in that process', async () => {
    const { id } = await cancelDuring(
      `update runs set status = 'failed'`,
      `insert into runs
       select (json_populate_record(r, json_build_object('id', 'run_next', 'status', 'running', 'resumed_from', id))).*
       from runs r`,
    )
    assert.equal(id, 'run_next')
  })

  test('the next build of a ticket continues when a build that has just ended is cancelled', async () => {
    await assert.rejects(
      cancelDuring(
        `update runs set status = 'failed'`,
        `insert into runs
         select (json_populate_record(r, '{ "id": "run_next", "status": "running" }')).* from runs r`,
      ),
      { code: 'conflict', message: 'No build of this ticket is running.' },
    )
    const { rows } = await world.database.pool.query(`select status from runs where id = 'run_next'`)
    assert.deepEqual(rows, [{ status: 'running' }])
  })

  test('cancelling a build of a project that is deleted meanwhile is a 404', async () => {
    await assert.rejects(cancelDuring(`delete from projects where id = 'p1'`), { code: 'not_found' })
  })
})
