import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { LOCK_CLASS, lockProject } from '../../db/locks.ts'
import { commitWhileWaiting } from '../../testing/commit-while-waiting.ts'
import { AT, openQueueWorld, type QueueWorld } from './testing.ts'

describe('queueing builds', () => {
  let world: QueueWorld
  before(async () => {
    world = await openQueueWorld()
  })
  after(() => world.database.drop())
  beforeEach(() => world.clear())

  test('tickets are appended to the build queue in the order in which the request lists them', async () => {
    await world.addTickets('a', 'b', 'c', 'd')
    await world.queue(['c', 'a'])
    assert.deepEqual((await world.queue(['d', 'b'])).queued, ['d', 'b'])
    const { queued, running } = await world.read()
    assert.deepEqual(
      queued.map(({ ticketId, position }) => [ticketId, position]),
      [
        ['c', 1],
        ['a', 2],
        ['d', 3],
        ['b', 4],
      ],
    )
    assert.equal(running, null)
    assert.deepEqual(queued[0], {
      ticketId: 'c',
      title: 'Title of c',
      position: 1,
      queuedAt: AT.toISOString(),
      waiting: null,
    })
  })

  test('a queue request returns each ticket that cannot be queued with its reason, and queues the others', async () => {
    await world.addTickets('ok', 'asked', 'running', 'waiting')
    await world.addTicket('epic', { type: 'epic' })
    await world.addTicket('other', { projectId: 'p2' })
    await world.addTicket('foreign', { projectId: 'foreign', orgId: 'org_b' })
    await world.addRun('asked', 'awaiting')
    await world.addRun('running', 'running')
    await world.queue(['waiting'])
    const given = ['none', 'other', 'foreign', 'epic', 'running', 'asked', 'waiting', 'ok', 'ok']
    const { queued, skipped } = await world.queue(given)
    assert.deepEqual(queued, ['ok'])
    assert.deepEqual(
      skipped.map(({ ticketId, reason }) => `${ticketId}: ${reason}`),
      [
        'none: unknown',
        'other: unknown',
        'foreign: unknown',
        'epic: structure',
        'running: building',
        'asked: awaiting',
        'waiting: queued',
        'ok: queued',
      ],
    )
    assert.deepEqual(await world.idsIn(), ['waiting', 'ok'])
  })

  test("a ticket can be queued unless its newest build waits for a person's answers", async () => {
    await world.addTickets('answered', 'asked')
    await world.addRun('answered', 'awaiting')
    await world.addRun('answered', 'succeeded')
    await world.addRun('asked', 'succeeded')
    await world.addRun('asked', 'awaiting')
    assert.deepEqual((await world.queue(['answered', 'asked'])).queued, ['answered'])
  })

  test('a ticket cannot be queued while its build waits to start, and can be queued once the build has finished', async () => {
    await world.addTickets('a', 'b')
    await world.addRun('b', 'failed')
    await world.addRun('a', 'queued')
    const { queued, skipped } = await world.queue(['a', 'b'])
    assert.deepEqual(queued, ['b'])
    assert.deepEqual(skipped, [{ ticketId: 'a', reason: 'building' }])
  })

  test('a queue request in which no ticket can be queued changes nothing', async () => {
    await world.addMessage('m1', 'agent', 'Which colour?', ['none'])
    assert.deepEqual(await world.queue(['none']), {
      queued: [],
      skipped: [{ ticketId: 'none', reason: 'unknown' }],
      openQuestions: [],
    })
    assert.deepEqual(await world.idsIn(), [])
  })

  test('in a queue request, ticket ids that contain quotes and SQL are unknown tickets and change nothing', async () => {
    await world.addTickets('a')
    const hostile = [`a'; delete from tickets; --`, '', 'a,b', '{a}', '%']
    const { queued, skipped } = await world.queue([...hostile, 'a'])
    assert.deepEqual(queued, ['a'])
    assert.deepEqual(
      skipped.map(({ reason }) => reason),
      hostile.map(() => 'unknown'),
    )
  })

  test('simultaneous queue requests queue each ticket once, at consecutive positions', async () => {
    const ids = Array.from({ length: 6 }, (_, n) => `t${n}`)
    await world.addTickets(...ids)
    const results = await Promise.all([
      world.queue(ids),
      world.queue(ids.toReversed()),
      world.queue(ids.slice(2)),
    ])
    assert.deepEqual(results.flatMap(({ queued }) => queued).toSorted(), ids)
    assert.deepEqual(
      (await world.read()).queued.map(({ position }) => position),
      [1, 2, 3, 4, 5, 6],
    )
    assert.deepEqual((await world.idsIn()).toSorted(), ids)
  })

  test("a queued build stores the caller who queued it, with the caller's scopes", async () => {
    await world.addTickets('a')
    await world.queue(['a'], {
      ctx: world.contextOf({ actorId: 'key_7', scopes: new Set(['build:write', 'projects:read'] as const) }),
    })
    const { rows } = await world.run('select actor, scopes from build_queue')
    assert.deepEqual(rows, [{ actor: 'key_7', scopes: ['build:write', 'projects:read'] }])
  })

  test('queueing a ticket again clears the stored reason why it was removed from the queue before', async () => {
    await world.addTicket('a', { refusal: 'attachments' })
    await world.addTicket('b', { refusal: 'attachments' })
    await world.queue(['a'])
    const { rows } = await world.run('select id, queue_refusal as refusal from tickets order by id')
    assert.deepEqual(rows, [
      { id: 'a', refusal: null },
      { id: 'b', refusal: 'attachments' },
    ])
  })

  test('queueing is refused without a model, for a suspended organization, and for a project that cannot be built', async () => {
    await world.addTickets('a')
    await assert.rejects(world.queue(['a'], { ctx: world.contextOf({ suspendedAt: AT }) }), {
      code: 'forbidden',
    })
    await assert.rejects(world.queue(['a'], { projectId: 'foreign' }), { code: 'not_found' })
    await assert.rejects(world.queue(['a'], { projectId: 'none' }), { code: 'not_found' })
    await world.addProject('old', 'org_a', 'archived')
    await assert.rejects(world.queue(['a'], { projectId: 'old' }), { code: 'conflict' })
    await world.run(`update projects set deleting_at = $1 where id = 'p1'`, AT)
    await assert.rejects(world.queue(['a']), { code: 'conflict' })
    await world.run(
      `update projects set deleting_at = null, model_connection_id = 'mod_org_b' where id = 'p1'`,
    )
    await assert.rejects(world.queue(['a']), { code: 'model_required' })
    assert.equal((await world.run('select from build_queue')).rowCount, 0)
  })

  test("a queue request that waits for the project's lock while the project is archived queues nothing", async () => {
    await world.addTickets('a')
    const refused = await world.database.db.transaction().execute(async (trx) => {
      await lockProject(trx, 'p1')
      const pending = assert.rejects(world.queue(['a']), { code: 'conflict' })
      await world.untilBlocked()
      await trx.updateTable('projects').set({ lifecycle: 'archived' }).where('id', '=', 'p1').execute()
      return { pending }
    })
    await refused.pending
    assert.equal((await world.run('select from build_queue')).rowCount, 0)
  })

  describe('open questions of the plan agent', () => {
    test("queueing a ticket returns the questions in the plan agent's message that wrote the ticket", async () => {
      await world.addTickets('a', 'b')
      await world.addMessage('m1', 'agent', 'Done.\n- Which colour?\n2. For whom?\nA remark.', ['a'])
      assert.deepEqual((await world.queue(['b'])).openQuestions, [])
      assert.deepEqual((await world.queue(['a'])).openQuestions, ['Which colour?', 'For whom?'])
    })

    test('queueing a ticket returns no questions once a person has written a later message in the plan thread', async () => {
      await world.addTickets('a')
      await world.addMessage('m1', 'agent', 'Which colour?', ['a'])
      await world.addMessage('m2', 'user', 'Green?')
      assert.deepEqual((await world.queue(['a'])).openQuestions, [])
    })

    test('queueing returns no questions about a ticket that could not be queued', async () => {
      await world.addTickets('a', 'b')
      await world.addRun('a', 'awaiting')
      await world.addMessage('m1', 'agent', 'Which colour?', ['a'])
      const { queued, openQuestions } = await world.queue(['a', 'b'])
      assert.deepEqual([queued, openQuestions], [['b'], []])
    })
  })

  describe('removing a ticket from the queue', () => {
    test('a ticket is removed from the build queue once, and the other tickets keep their order', async () => {
      await world.addTickets('a', 'b', 'c')
      await world.queue(['a', 'b', 'c'])
      assert.deepEqual(await world.remove('b'), { ticketId: 'b' })
      assert.deepEqual(await world.idsIn(), ['a', 'c'])
      await assert.rejects(world.remove('b'), { code: 'not_found' })
      await world.queue(['b'])
      assert.deepEqual(await world.idsIn(), ['a', 'c', 'b'])
    })

    test('a ticket whose queued build is just being started can no longer be removed from the queue', async () => {
      await world.addTicket('a')
      await world.queue(['a'])
      const removal = commitWhileWaiting(
        world.database.pool,
        // A starting build takes this lock first and removes its ticket from the queue later.
        (other) => other.query('select pg_advisory_xact_lock($1, hashtext($2))', [LOCK_CLASS.project, 'p1']),
        () => world.remove('a'),
        (other) => other.query(`delete from build_queue where ticket_id = 'a'`),
      )
      await assert.rejects(removal, { code: 'not_found' })
    })

    test('a queued ticket cannot be removed through another project or organization, and a ticket in build cannot be removed', async () => {
      await world.addTickets('a', 'b')
      await world.queue(['a'])
      await world.addRun('b', 'running')
      await assert.rejects(world.remove('a', 'p2'), { code: 'not_found' })
      await assert.rejects(world.remove('a', 'p1', world.contextOf({ organizationId: 'org_b' })), {
        code: 'not_found',
      })
      await assert.rejects(world.remove('b'), { code: 'not_found' })
      assert.deepEqual(await world.idsIn(), ['a'])
      assert.equal((await world.read()).running?.ticketId, 'b')
    })
  })
})
