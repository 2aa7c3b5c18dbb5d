import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type BuildWorld, type BuildProject, buildWorld, A_BUILD } from './build-world.ts'
import { finish, write } from '../support/scripted-model.ts'
import { leaves } from '../../server/testing/effects.ts'
import {
  addTickets,
  ASK,
  buildStarted,
  HELLO,
  queue,
  readQueue,
  runsOf,
  startNext,
  stateOf,
} from './queue-calls.ts'

describe('the build queue of a running service', () => {
  let world: BuildWorld
  before(async () => {
    world = await buildWorld()
  })
  after(() => world.close())

  const waitUntilDrained = (place: BuildProject) =>
    place.until(async () => {
      const { running, queued } = await readQueue(place)
      return running === null && queued.length === 0
    })

  test('queued tickets are built one after another in the given order, each once', async () => {
    leaves({ events: { 'ticket.created': 6, 'ticket.updated': 5 }, jobs: { build: 5 } })
    const place = await world.openProject([HELLO])
    const tickets = await addTickets(place, 6)
    const order = [tickets[3], tickets[0], tickets[5], tickets[1]].map((id) => id ?? '')
    assert.deepEqual((await queue(place, order)).data, { queued: order, skipped: [], openQuestions: [] })
    assert.equal((await queue(place, [tickets[2] ?? ''])).status, 200)
    await waitUntilDrained(place)
    const runs = await runsOf(place)
    assert.deepEqual(
      runs.map((run) => [run.ticketId, run.trigger, run.outcome]),
      [...order, tickets[2]].map((id) => [id, 'queue', 'replied']),
    )
    assert.equal((await place.calls()).length, 5)
  })

  test('a queued ticket that asks a question or fails leaves the queue, and the next ticket is built', async () => {
    leaves({
      events: {
        'ticket.created': 3,
        'ticket.updated': 4,
        'ticket.build.failed': 1,
        'ticket.build.succeeded': 1,
      },
      jobs: { build: 3 },
    })
    const place = await world.openProject([
      ASK,
      { fault: 'http_401' },
      { toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')] },
      { toolCalls: [finish()] },
    ])
    const tickets = await addTickets(place, 3)
    await queue(place, tickets)
    await waitUntilDrained(place)
    const runs = await runsOf(place)
    assert.deepEqual(
      runs.map((run) => run.status),
      ['awaiting', 'failed', 'succeeded'],
    )
    const states = await Promise.all(tickets.map((id) => stateOf(place, id)))
    assert.deepEqual(states, ['awaiting', 'idle', 'idle'])
    const history = await place.get<{ type: string; ticketId: string; detail: string }[]>('/history')
    assert.deepEqual(
      history.data.map((event) => [event.type, event.ticketId]),
      [
        ['built', tickets[2]],
        ['build_failed', tickets[1]],
      ],
    )
    assert.match(history.data[1]?.detail ?? '', /^model_error: /)
  })

  test('during a build, a queued ticket cannot be built by hand, and cancelling the build continues the queue', async () => {
    leaves({ events: { 'ticket.created': 2, 'ticket.updated': 3 }, jobs: { build: 3 } })
    const place = await world.openProject([{ text: 'thinking '.repeat(50), fault: 'silence' }, HELLO])
    const [waiting = '', other = ''] = await addTickets(place, 2)
    const watched = place.stream()
    await place.stream({}, (frame) => frame.type === 'delta')
    await queue(place, [waiting, other])
    assert.equal((await place.call(`POST /tickets/${other}/build`, {})).error?.code, 'conflict')
    assert.deepEqual(await stateOf(place, waiting), 'queued')
    await place.cancel()
    await watched
    await waitUntilDrained(place)
    assert.deepEqual(
      (await runsOf(place)).map((run) => run.ticketId),
      [place.ticketId, waiting, other],
    )
  })
})

describe('the build queue, with builds started by the tests', () => {
  let world: BuildWorld
  before(async () => {
    world = await buildWorld({ work: false })
  })
  after(() => world.close())

  const startNextBuild = () => startNext(world)
  const runStarted = (place: BuildProject) => buildStarted(world, place)

  /** Empties the queue and finishes the running build, so that no build of one test starts in the next. */
  const finishLine = async (place: BuildProject) => {
    for (const { ticketId } of (await readQueue(place)).queued)
      await place.call(`DELETE /build/queue/${ticketId}`)
    await runStarted(place)
  }

  test('unknown ids, epics, queued tickets and the ticket being built are not queued, and the response names each reason', async () => {
    leaves({ events: { 'ticket.created': 3, 'ticket.updated': 1 }, jobs: { build: 1 } })
    const place = await world.openProject([HELLO])
    const epic = await place.addTicket({ type: 'epic' })
    const [first = '', second = ''] = await addTickets(place, 2)
    const foreign = await world.openProject([HELLO])
    await queue(place, [first])
    assert.equal(await startNextBuild(), 1)
    const answer = await queue(place, [second, second, first, epic, 'tkt_0', foreign.ticketId])
    assert.deepEqual(answer.data, {
      queued: [second],
      skipped: [
        { ticketId: second, reason: 'queued' },
        { ticketId: first, reason: 'building' },
        { ticketId: epic, reason: 'structure' },
        { ticketId: 'tkt_0', reason: 'unknown' },
        { ticketId: foreign.ticketId, reason: 'unknown' },
      ],
      openQuestions: [],
    })
    const { running, queued } = await readQueue(place)
    assert.equal(running?.ticketId, first)
    assert.deepEqual(
      queued.map((item) => [item.ticketId, item.title, item.position]),
      [[second, 'Another one', 1]],
    )
    await finishLine(place)
  })

  test('a ticket shows that it is in the build queue, and is not built once it is removed from the queue', async () => {
    leaves({ events: { 'ticket.created': 3, 'ticket.updated': 2 }, jobs: { build: 2 } })
    const place = await world.openProject([HELLO])
    const [first = '', second = '', third = ''] = await addTickets(place, 3)
    await queue(place, [first, second, third])
    assert.deepEqual(await stateOf(place, second), 'queued')
    const removed = await place.call(`DELETE /build/queue/${second}`)
    assert.deepEqual([removed.status, removed.data], [200, { ticketId: second }])
    assert.equal((await place.call(`DELETE /build/queue/${second}`)).status, 404)
    assert.deepEqual(await stateOf(place, second), 'idle')
    assert.equal(await startNextBuild(), 1)
    const building = await place.call(`DELETE /build/queue/${first}`)
    assert.equal(building.status, 404, 'a running build is untouched')
    await runStarted(place)
    assert.equal(await startNextBuild(), 1)
    await runStarted(place)
    assert.deepEqual(
      (await runsOf(place)).map((run) => run.ticketId),
      [first, third],
    )
    assert.equal(await startNextBuild(), 0)
  })

  test('two processes that work on the same build queue start a build only once', async () => {
    leaves({ events: { 'ticket.created': 3, 'ticket.updated': 1 }, jobs: { build: 1 } })
    const place = await world.openProject([HELLO])
    await queue(place, await addTickets(place, 3))
    const started = await Promise.all([startNextBuild(), startNextBuild(), startNextBuild()])
    assert.deepEqual(
      started.toSorted((a, b) => a - b),
      [0, 0, 1],
    )
    assert.equal((await readQueue(place)).queued.length, 2)
    await finishLine(place)
  })

  test('a ticket whose build has unanswered questions cannot be queued', async () => {
    leaves(A_BUILD)
    const place = await world.openProject([ASK])
    await queue(place, [place.ticketId])
    await startNextBuild()
    await runStarted(place)
    assert.equal(await stateOf(place, place.ticketId), 'awaiting')
    assert.deepEqual((await queue(place, [place.ticketId])).data, {
      queued: [],
      skipped: [{ ticketId: place.ticketId, reason: 'awaiting' }],
      openQuestions: [],
    })
    assert.equal(await startNextBuild(), 0)
  })

  test('a queued build has only the permissions of the API key that queued it', async () => {
    leaves(A_BUILD)
    const builder = await world.app.keyFor(world.person, ['projects:read', 'build:write'])
    const place = await world.openProject(
      [{ text: 'ok', expect: { tools: ['finish'], withoutTools: ['ship', 'enable_capability'] } }],
      { client: builder },
    )
    await queue(place, [place.ticketId])
    await startNextBuild()
    await runStarted(place)
    assert.equal((await runsOf(place))[0]?.outcome, 'replied')
  })

  test('a request that queues tickets must list 1 to 100 ticket ids', async () => {
    const place = await world.openProject([HELLO])
    for (const body of [
      {},
      { ticketIds: [] },
      { ticketIds: Array(101).fill('tkt_0') },
      { ticketIds: 'tkt_0' },
    ]) {
      const answer = await place.call('POST /build/queue', body)
      assert.deepEqual([answer.status, answer.error?.message.split(':')[0]], [400, 'ticketIds'])
    }
    const stranger = await world.app.signUp()
    for (const route of ['GET /build/queue', `DELETE /build/queue/${place.ticketId}`]) {
      const [method, path] = route.split(' ')
      const answer = await stranger.call(`${method} /projects/${place.projectId}${path}`)
      assert.equal(answer.status, 404)
    }
  })
})
