import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pauseBuilds, resumeBuilds } from '../../admin/build-pause.ts'
import { AT, openQueueWorld, type QueueWorld } from './testing.ts'

describe('reading the queue of builds', () => {
  let world: QueueWorld
  before(async () => {
    world = await openQueueWorld()
  })
  after(() => world.database.drop())
  beforeEach(() => world.clear())

  test('a build is listed as running from its creation until it ends, separately from the queued tickets', async () => {
    await world.addTickets('a', 'b')
    await world.queue(['b'])
    const runId = await world.addRun('a', 'queued')
    const { running, queued } = await world.read()
    assert.deepEqual(running, { ticketId: 'a', title: 'Title of a', runId })
    assert.deepEqual(
      queued.map(({ ticketId, position }) => [ticketId, position]),
      [['b', 1]],
    )
    await world.run(`update runs set status = 'succeeded'`)
    assert.equal((await world.read()).running, null)
  })

  test('the build queue of another organization or project is not shown', async () => {
    await world.addTickets('a')
    await world.queue(['a'])
    assert.deepEqual(await world.idsIn('p2'), [])
    await assert.rejects(world.read('p1', world.contextOf({ organizationId: 'org_b' })), {
      code: 'not_found',
    })
    await assert.rejects(world.read('none'), { code: 'not_found' })
  })

  test('a deleted ticket leaves no gap in the positions of the build queue', async () => {
    await world.addTickets('a', 'b', 'c')
    await world.queue(['a', 'b', 'c'])
    await world.run(`delete from tickets where id = 'b'`)
    assert.deepEqual(
      (await world.read()).queued.map(({ ticketId, position }) => [ticketId, position]),
      [
        ['a', 1],
        ['c', 2],
      ],
    )
  })

  test('queued tickets are listed by their stored position, not by their ids', async () => {
    await world.addTickets('a', 'b', 'c')
    await world.queue(['a', 'b', 'c'])
    await world.run(`update build_queue set position = 10 where ticket_id = 'a'`)
    await world.run(`update build_queue set position = 5 where ticket_id = 'b'`)
    assert.deepEqual(await world.idsIn(), ['c', 'b', 'a'])
  })

  test('the build queue shows why a ticket waits beside that ticket only, with the end of the wait if it is known', async () => {
    await world.addTickets('a', 'b', 'c')
    await world.queue(['a', 'b', 'c'])
    await world.run(
      `update build_queue set waiting = 'allowance', waiting_until = $1 where ticket_id = 'a'`,
      AT,
    )
    await world.run(`update build_queue set waiting = 'tokens' where ticket_id = 'b'`)
    assert.deepEqual(
      (await world.read()).queued.map(({ waiting }) => waiting),
      [{ reason: 'allowance', until: AT.toISOString() }, { reason: 'tokens', until: null }, null],
    )
  })

  test('while builds are paused, the queue names the pause as the reason only for the ticket that is next to start', async () => {
    await world.addTicket('late', { dependsOn: ['a'] })
    await world.addTickets('a', 'b')
    await world.queue(['a', 'b', 'late'])
    await pauseBuilds({ db: world.database.db, now: AT }, 'Upgrade')
    const reasons = (await world.read()).queued.map(({ waiting }) => waiting?.reason)
    await resumeBuilds({ db: world.database.db })
    assert.deepEqual(reasons, ['paused', undefined, 'dependencies'])
    assert.equal((await world.read()).queued[0]?.waiting, null)
  })

  test('each unfinished dependency of a queued ticket is listed in order, with the problem that blocks it', async () => {
    const dependencies = [
      'gone',
      'cancelled',
      'queued',
      'running',
      'failed',
      'asks',
      'idle',
      'built',
      'done',
      'other',
    ]
    await world.addTicket('t', { dependsOn: dependencies })
    await world.addTickets('queued', 'running', 'failed', 'asks', 'idle')
    await world.addTicket('cancelled', { status: 'cancelled' })
    await world.addTicket('built', { status: 'in_review' })
    await world.addTicket('done', { status: 'done' })
    await world.addTicket('other', { projectId: 'p2' })
    await world.addRun('failed', 'failed')
    await world.addRun('asks', 'awaiting')
    await world.addRun('running', 'running')
    await world.queue(['t', 'queued'])
    const { waiting } = (await world.read()).queued[0] ?? {}
    assert.deepEqual([waiting?.reason, waiting?.until], ['dependencies', null])
    assert.deepEqual(
      waiting?.dependencies?.map(({ ticketId, title, problem }) => [ticketId, title, problem]),
      [
        ['gone', null, 'missing'],
        ['cancelled', 'Title of cancelled', 'cancelled'],
        ['queued', 'Title of queued', null],
        ['running', 'Title of running', null],
        ['failed', 'Title of failed', 'failed'],
        ['asks', 'Title of asks', 'awaiting'],
        ['idle', 'Title of idle', 'not_queued'],
        ['other', null, 'missing'],
      ],
    )
  })

  test('a dependency that is queued again after a failed build is listed without a problem', async () => {
    await world.addTicket('t', { dependsOn: ['d'] })
    await world.addTickets('d')
    await world.addRun('d', 'failed')
    await world.queue(['t', 'd'])
    const problems = (await world.read()).queued[0]?.waiting?.dependencies?.map(({ problem }) => problem)
    assert.deepEqual(problems, [null])
  })

  test('a queued ticket whose dependencies are all built is listed with no reason for waiting', async () => {
    await world.addTicket('t', { dependsOn: ['d'] })
    await world.addTicket('d', { status: 'in_review' })
    await world.queue(['t'])
    assert.equal((await world.read()).queued[0]?.waiting, null)
  })
})
