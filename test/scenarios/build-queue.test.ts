import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pauseBuilds, requireNoPause, resumeBuilds } from '../../server/admin/build-pause.ts'
import { startQueued } from '../../server/builds/queue/start-queued.ts'
import { runBuild } from '../../server/builds/run/execute.ts'
import { finish, write } from '../support/scripted-model.ts'
import { type BuildWorld, type Place, buildWorld, A_BUILD } from './build-world.ts'
import { leaves } from '../../server/testing/effects.ts'

interface Queue {
  running: { ticketId: string; title: string; runId: string } | null
  queued: {
    ticketId: string
    title: string
    position: number
    waiting: { reason: string; dependencies?: { problem: string | null }[] } | null
  }[]
}
interface Run {
  id: string
  ticketId: string
  status: string
  outcome: string | null
  trigger: string
}

const HELLO = { text: 'Hello.', repeat: true }
const QUESTION = { id: 'what', question: 'Track what?', options: ['Tasks', 'Plants'], default: 'Tasks' }
const ASK = { toolCalls: [{ name: 'ask_user', args: { questions: [QUESTION] } }] }

const queue = (place: Place, ticketIds: string[]) =>
  place.call<{ queued: string[]; skipped: object[] }>('POST /build/queue', { ticketIds })
const readQueue = async (place: Place) => (await place.get<Queue>('/build/queue')).data
/** Returns the runs of the project, oldest first. */
const runsOf = async (place: Place) => (await place.get<{ items: Run[] }>('/runs')).data.items.toReversed()
const stateOf = async (place: Place, ticketId: string) =>
  (await place.get<{ build: { state: string } }>(`/tickets/${ticketId}`)).data.build.state

async function addTickets(place: Place, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await place.addTicket())
  return ids
}

describe('the build queue at work', () => {
  let world: BuildWorld
  before(async () => {
    world = await buildWorld()
  })
  after(() => world.close())

  const drained = (place: Place) =>
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
    await drained(place)
    const runs = await runsOf(place)
    assert.deepEqual(
      runs.map((run) => [run.ticketId, run.trigger, run.outcome]),
      [...order, tickets[2]].map((id) => [id, 'queue', 'replied']),
    )
    assert.equal((await place.calls()).length, 5)
  })

  test('a queued ticket that asks a question or fails leaves the queue, and the next one is built', async () => {
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
    await drained(place)
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

  test('a ticket built by hand leaves the queue, and the next ticket starts after a cancelled build', async () => {
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
    await drained(place)
    assert.deepEqual(
      (await runsOf(place)).map((run) => run.ticketId),
      [place.ticketId, waiting, other],
    )
  })
})

describe('the build queue between builds', () => {
  let world: BuildWorld
  before(async () => {
    world = await buildWorld({ work: false })
  })
  after(() => world.close())

  const turn = async () => (await startQueued(world.app.platform, new AbortController().signal)).handled
  const work = async (place: Place) => {
    const { running } = await readQueue(place)
    await runBuild(world.app.platform, running?.runId ?? '', new AbortController().signal)
  }

  /** Empties the queue and finishes the running build, so that no build of one test starts in the next. */
  const finishLine = async (place: Place) => {
    for (const { ticketId } of (await readQueue(place)).queued)
      await place.call(`DELETE /build/queue/${ticketId}`)
    await work(place)
  }

  test('unknown ids, epics, queued tickets and the ticket being built are skipped, each with its reason', async () => {
    leaves({ events: { 'ticket.created': 3, 'ticket.updated': 1 }, jobs: { build: 1 } })
    const place = await world.openProject([HELLO])
    const epic = await place.addTicket({ type: 'epic' })
    const [first = '', second = ''] = await addTickets(place, 2)
    const foreign = await world.openProject([HELLO])
    await queue(place, [first])
    assert.equal(await turn(), 1)
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

  test('a ticket shows that it is queued, and is not built once it is removed from the queue', async () => {
    leaves({ events: { 'ticket.created': 3, 'ticket.updated': 2 }, jobs: { build: 2 } })
    const place = await world.openProject([HELLO])
    const [first = '', second = '', third = ''] = await addTickets(place, 3)
    await queue(place, [first, second, third])
    assert.deepEqual(await stateOf(place, second), 'queued')
    const removed = await place.call(`DELETE /build/queue/${second}`)
    assert.deepEqual([removed.status, removed.data], [200, { ticketId: second }])
    assert.equal((await place.call(`DELETE /build/queue/${second}`)).status, 404)
    assert.deepEqual(await stateOf(place, second), 'idle')
    assert.equal(await turn(), 1)
    const building = await place.call(`DELETE /build/queue/${first}`)
    assert.equal(building.status, 404, 'a running build is untouched')
    await work(place)
    assert.equal(await turn(), 1)
    await work(place)
    assert.deepEqual(
      (await runsOf(place)).map((run) => run.ticketId),
      [first, third],
    )
    assert.equal(await turn(), 0)
  })

  test('a queued ticket waits for its dependencies while later tickets are built, and starts once they are built', async () => {
    leaves({
      events: { 'ticket.created': 3, 'ticket.updated': 4, 'ticket.build.succeeded': 1 },
      jobs: { build: 3 },
    })
    const place = await world.openProject([
      { text: 'Hello.' },
      { toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')] },
      { toolCalls: [finish()] },
      HELLO,
    ])
    const needed = place.ticketId
    const middle = await place.addTicket({ dependsOn: [needed] })
    const last = await place.addTicket({ dependsOn: [middle, needed] })
    const other = await place.addTicket()
    const waits = async (ticketId: string) =>
      (await readQueue(place)).queued.find((entry) => entry.ticketId === ticketId)?.waiting
    const on = (...dependencies: object[]) => ({ reason: 'dependencies', until: null, dependencies })
    await queue(place, [last, middle, other, needed])
    assert.deepEqual(
      await waits(last),
      on(
        { ticketId: middle, title: 'Another one', problem: null },
        { ticketId: needed, title: 'Track plants', problem: null },
      ),
    )
    assert.equal(await turn(), 1)
    assert.equal((await readQueue(place)).running?.ticketId, other, 'the first whose dependencies are built')
    await work(place)
    assert.equal(await turn(), 1)
    await work(place)
    assert.equal((await runsOf(place)).at(-1)?.ticketId, needed)
    assert.equal(await waits(middle), null)
    assert.equal(await turn(), 1)
    await work(place)
    // The build ended with a question and not with a version, so a ticket that depends on it still waits, and shows that.
    assert.equal(await turn(), 0)
    assert.deepEqual(await waits(last), on({ ticketId: middle, title: 'Another one', problem: 'not_queued' }))
    await place.call(`DELETE /build/queue/${last}`)
  })

  test('a queued ticket whose dependency failed, was cancelled, asks or was deleted waits until built by hand', async () => {
    leaves({
      events: { 'ticket.created': 3, 'ticket.updated': 5, 'ticket.build.failed': 1 },
      jobs: { build: 3 },
    })
    const place = await world.openProject([{ fault: 'http_401' }, ASK, HELLO])
    const needed = place.ticketId
    const asking = await place.addTicket()
    const gone = await place.addTicket()
    const ticket = await place.addTicket({ dependsOn: [needed, asking, gone] })
    const { db } = world.app.platform
    await db.deleteFrom('tickets').where('id', '=', gone).execute()
    await queue(place, [needed, asking, ticket])
    for (let n = 0; n < 2; n++) {
      assert.equal(await turn(), 1)
      await work(place)
    }
    assert.equal(await turn(), 0)
    const problems = async () =>
      (await readQueue(place)).queued[0]?.waiting?.dependencies?.map(({ problem }) => problem)
    assert.deepEqual(await problems(), ['failed', 'awaiting', 'missing'])
    const patch = (id: string, status: string) => place.call(`PATCH /tickets/${id}`, { status })
    await patch(needed, 'cancelled')
    await patch(asking, 'done')
    assert.deepEqual(await problems(), ['cancelled', 'missing'], 'a person may say that it is done')
    assert.equal(await turn(), 0)
    const built = place.call(`POST /tickets/${ticket}/build`, {})
    await place.until(async () => (await readQueue(place)).running !== null)
    await work(place)
    assert.equal((await built).status, 200)
    assert.deepEqual((await readQueue(place)).queued, [])
  })

  test('two processes that read the same queue start one build', async () => {
    leaves({ events: { 'ticket.created': 3, 'ticket.updated': 1 }, jobs: { build: 1 } })
    const place = await world.openProject([HELLO])
    await queue(place, await addTickets(place, 3))
    const started = await Promise.all([turn(), turn(), turn()])
    assert.deepEqual(
      started.toSorted((a, b) => a - b),
      [0, 0, 1],
    )
    assert.equal((await readQueue(place)).queued.length, 2)
    await finishLine(place)
  })

  test('a ticket that waits for an answer cannot be queued, so that no default replaces the answer', async () => {
    leaves(A_BUILD)
    const place = await world.openProject([ASK])
    await queue(place, [place.ticketId])
    await turn()
    await work(place)
    assert.equal(await stateOf(place, place.ticketId), 'awaiting')
    assert.deepEqual((await queue(place, [place.ticketId])).data, {
      queued: [],
      skipped: [{ ticketId: place.ticketId, reason: 'awaiting' }],
      openQuestions: [],
    })
    assert.equal(await turn(), 0)
  })

  test('a queue that waits for a model or for a suspended organization shows the reason', async () => {
    const place = await world.openProject([HELLO])
    await queue(place, [place.ticketId])
    const { db } = world.app.platform
    const orgId = world.person.organizationId
    const suspend = (at: Date | null) =>
      db.updateTable('organization_settings').set({ suspended_at: at }).where('org_id', '=', orgId).execute()
    const waiting = async () =>
      (await place.get<{ queued: { waiting: object | null }[] }>('/build/queue')).data.queued[0]?.waiting
    assert.equal(await waiting(), null)
    await suspend(world.app.clock.now())
    assert.equal(await turn(), 0)
    assert.deepEqual(await waiting(), { reason: 'suspended', until: null })
    await suspend(null)
    world.app.clock.advance(60_000)
    await db
      .updateTable('projects')
      .set({ model_connection_id: null })
      .where('id', '=', place.projectId)
      .execute()
    await db.updateTable('model_connections').set({ is_default: false }).where('org_id', '=', orgId).execute()
    assert.equal(await turn(), 0)
    assert.deepEqual(await waiting(), { reason: 'model', until: null })
    await place.call(`DELETE /build/queue/${place.ticketId}`)
  })

  test('while builds are paused, starts are refused, a running build continues, and queued ones start afterwards', async () => {
    leaves({ events: { 'ticket.created': 2, 'ticket.updated': 3 }, jobs: { build: 3 } })
    const place = await world.openProject([HELLO])
    const [queued = '', other = ''] = await addTickets(place, 2)
    const admin = { db: world.app.platform.db, now: world.app.clock.now() }
    await queue(place, [place.ticketId])
    assert.equal(await turn(), 1)
    await pauseBuilds(admin, ' the model is  being replaced\n')
    await assert.rejects(
      pauseBuilds(admin, 'again'),
      /^AdminError: Builds have been paused since .*: the model is being/,
    )
    await assert.rejects(pauseBuilds(admin, 'x'.repeat(301)), /at most 300 characters/)
    await work(place)
    assert.equal((await runsOf(place))[0]?.outcome, 'replied', 'it was running before')
    for (const route of ['build', 'build/stream'])
      assert.deepEqual(
        await place
          .call(`POST /tickets/${other}/${route}`, {})
          .then(({ status, error }) => ({ status, ...error })),
        { status: 503, code: 'unavailable', message: 'Builds are paused: the model is being replaced' },
      )
    assert.deepEqual((await queue(place, [queued])).data.queued, [queued])
    assert.equal(await turn(), 0)
    const waiting = async () =>
      (await place.get<{ queued: { waiting: object | null }[] }>('/build/queue')).data.queued[0]?.waiting
    assert.deepEqual(await waiting(), { reason: 'paused', until: null })
    assert.equal((await resumeBuilds(admin)).reason, 'the model is being replaced')
    await assert.rejects(resumeBuilds(admin), /Builds are not paused/)
    assert.equal(await waiting(), null)
    assert.equal(await turn(), 1)
    await work(place)
    assert.equal((await place.call(`POST /build/queue`, { ticketIds: [other] })).status, 200)
    assert.equal(await turn(), 1)
    await work(place)
    assert.equal((await runsOf(place)).length, 3)
  })

  test('pausing builds waits for a start in progress, so that nothing starts afterwards', async () => {
    const { db } = world.app.platform
    const order: string[] = []
    let paused: Promise<unknown> = Promise.resolve()
    await db.transaction().execute(async (trx) => {
      await requireNoPause(trx)
      paused = pauseBuilds({ db, now: world.app.clock.now() }, 'now').then(() => order.push('paused'))
      await sleep(200)
      order.push('started')
    })
    await paused
    assert.deepEqual(order, ['started', 'paused'])
    await resumeBuilds({ db })
  })

  test('a queued build has the scopes of the caller who queued it', async () => {
    leaves(A_BUILD)
    const builder = await world.app.keyFor(world.person, ['projects:read', 'build:write'])
    const place = await world.openProject(
      [{ text: 'ok', expect: { tools: ['finish'], withoutTools: ['ship', 'enable_capability'] } }],
      { client: builder },
    )
    await queue(place, [place.ticketId])
    await turn()
    await work(place)
    assert.equal((await runsOf(place))[0]?.outcome, 'replied')
  })

  test('when the builds per hour are used up, the queue waits until one is allowed', async () => {
    leaves({ events: { 'ticket.created': 1, 'ticket.updated': 2 }, jobs: { build: 2 } })
    const place = await world.openProject([HELLO])
    const { db } = world.app.platform
    await queue(place, [place.ticketId])
    await turn()
    await work(place)
    const [run] = await db.selectFrom('runs').selectAll().where('project_id', '=', place.projectId).execute()
    assert.ok(run)
    const { org_id, created_at } = run
    // Builds of deleted projects count as well, although their runs have been deleted.
    await db
      .insertInto('build_starts')
      .values(Array.from({ length: 99 }, () => ({ org_id, created_at })))
      .execute()
    const waiting = async () =>
      (await place.get<{ queued: { waiting: object | null }[] }>('/build/queue')).data.queued[0]?.waiting
    const setPlan = (plan: 'free' | 'enterprise') =>
      db.updateTable('organization_settings').set({ plan }).where('org_id', '=', run.org_id).execute()
    await setPlan('free')
    const next = await place.addTicket()
    assert.deepEqual((await queue(place, [next])).data.queued, [next])
    assert.equal(await turn(), 0)
    const until = new Date(created_at.getTime() + 3_600_000).toISOString()
    assert.deepEqual(await waiting(), { reason: 'allowance', until })
    world.app.clock.advance(3_599_000)
    assert.equal(await turn(), 0)
    world.app.clock.advance(1_000)
    assert.equal(await turn(), 1)
    await work(place)
    await setPlan('enterprise')
  })

  test('the queue of an archived project neither accepts nor builds tickets until it is unarchived', async () => {
    leaves(A_BUILD)
    const place = await world.openProject([HELLO])
    await queue(place, [place.ticketId])
    const { db } = world.app.platform
    const setLifecycle = (lifecycle: 'archived' | 'offline') =>
      db
        .updateTable('projects')
        .set({ lifecycle })
        .where('org_id', '=', world.person.organizationId)
        .where('id', '=', place.projectId)
        .execute()
    await setLifecycle('archived')
    assert.equal((await queue(place, [place.ticketId])).error?.code, 'conflict')
    assert.equal(await turn(), 0)
    await setLifecycle('offline')
    assert.equal(await turn(), 1)
    await work(place)
  })

  test('without a model a queue waits, and refuses further tickets', async () => {
    leaves({ activity: { 'model.deleted': 1 } })
    const place = await world.openProject([HELLO])
    await queue(place, [place.ticketId])
    await world.person.call(`DELETE /connections/models/${place.modelConnectionId}`)
    const { db } = world.app.platform
    await db
      .updateTable('model_connections')
      .set({ is_default: false })
      .where('org_id', '=', world.person.organizationId)
      .execute()
    assert.equal((await queue(place, [place.ticketId])).error?.code, 'model_required')
    assert.equal(await turn(), 0)
    assert.equal((await readQueue(place)).queued.length, 1)
    await place.call(`DELETE /build/queue/${place.ticketId}`)
  })

  test('a request to queue must list 1 to 100 ticket ids', async () => {
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
