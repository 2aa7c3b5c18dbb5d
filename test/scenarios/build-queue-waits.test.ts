import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pauseBuilds, requireNoPause, resumeBuilds } from '../../server/admin/build-pause.ts'
import { finish, write } from '../support/scripted-model.ts'
import { leaves } from '../../server/testing/effects.ts'
import { type BuildWorld, type BuildProject, buildWorld, A_BUILD } from './build-world.ts'
import { addTickets, ASK, buildStarted, HELLO, queue, readQueue, runsOf, startNext } from './queue-calls.ts'

describe('reasons why a queued ticket waits', () => {
  let world: BuildWorld
  before(async () => {
    world = await buildWorld({ work: false })
  })
  after(() => world.close())

  const startNextBuild = () => startNext(world)
  const runStarted = (place: BuildProject) => buildStarted(world, place)

  test('a queued ticket waits for its dependencies while later tickets are built, and starts once the dependencies are built', async () => {
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
    const readWait = async (ticketId: string) =>
      (await readQueue(place)).queued.find((entry) => entry.ticketId === ticketId)?.waiting
    const waitingOn = (...dependencies: object[]) => ({ reason: 'dependencies', until: null, dependencies })
    await queue(place, [last, middle, other, needed])
    assert.deepEqual(
      await readWait(last),
      waitingOn(
        { ticketId: middle, title: 'Another one', problem: null },
        { ticketId: needed, title: 'Track plants', problem: null },
      ),
    )
    assert.equal(await startNextBuild(), 1)
    assert.equal((await readQueue(place)).running?.ticketId, other, 'the first whose dependencies are built')
    await runStarted(place)
    assert.equal(await startNextBuild(), 1)
    await runStarted(place)
    assert.equal((await runsOf(place)).at(-1)?.ticketId, needed)
    assert.equal(await readWait(middle), null)
    assert.equal(await startNextBuild(), 1)
    await runStarted(place)
    // The build ended with a question and not with a version, so a ticket that depends on it still waits and shows why.
    assert.equal(await startNextBuild(), 0)
    assert.deepEqual(
      await readWait(last),
      waitingOn({ ticketId: middle, title: 'Another one', problem: 'not_queued' }),
    )
    await place.call(`DELETE /build/queue/${last}`)
  })

  test('a queued ticket with a failed, awaiting, cancelled or deleted dependency must be started by hand', async () => {
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
      assert.equal(await startNextBuild(), 1)
      await runStarted(place)
    }
    assert.equal(await startNextBuild(), 0)
    const readProblems = async () =>
      (await readQueue(place)).queued[0]?.waiting?.dependencies?.map(({ problem }) => problem)
    assert.deepEqual(await readProblems(), ['failed', 'awaiting', 'missing'])
    const patchStatus = (id: string, status: string) => place.call(`PATCH /tickets/${id}`, { status })
    await patchStatus(needed, 'cancelled')
    await patchStatus(asking, 'done')
    assert.deepEqual(await readProblems(), ['cancelled', 'missing'], 'a person may say that it is done')
    assert.equal(await startNextBuild(), 0)
    const built = place.call(`POST /tickets/${ticket}/build`, {})
    await place.until(async () => (await readQueue(place)).running !== null)
    await runStarted(place)
    assert.equal((await built).status, 200)
    assert.deepEqual((await readQueue(place)).queued, [])
  })

  test('a queued ticket shows why it waits when its organization is suspended or no model is connected', async () => {
    leaves({ events: { 'ticket.created': 1 } })
    const place = await world.openProject([HELLO])
    await queue(place, [place.ticketId])
    const { db } = world.app.platform
    const orgId = world.person.organizationId
    const suspendAt = (at: Date | null) =>
      db.updateTable('organization_settings').set({ suspended_at: at }).where('org_id', '=', orgId).execute()
    const readWaiting = async () =>
      (await place.get<{ queued: { waiting: object | null }[] }>('/build/queue')).data.queued[0]?.waiting
    assert.equal(await readWaiting(), null)
    await suspendAt(world.app.clock.now())
    assert.equal(await startNextBuild(), 0)
    assert.deepEqual(await readWaiting(), { reason: 'suspended', until: null })
    const refused = await queue(place, [await place.addTicket()])
    assert.deepEqual([refused.status, refused.error?.code], [403, 'forbidden'])
    assert.equal((await readQueue(place)).queued.length, 1)
    await suspendAt(null)
    world.app.clock.advance(60_000)
    await db
      .updateTable('projects')
      .set({ model_connection_id: null })
      .where('id', '=', place.projectId)
      .execute()
    await db.updateTable('model_connections').set({ is_default: false }).where('org_id', '=', orgId).execute()
    assert.equal(await startNextBuild(), 0)
    assert.deepEqual(await readWaiting(), { reason: 'model', until: null })
    await place.call(`DELETE /build/queue/${place.ticketId}`)
  })

  test('while builds are paused, no build can be started, a running build continues, and queued builds wait', async () => {
    leaves({ events: { 'ticket.created': 2, 'ticket.updated': 3 }, jobs: { build: 3 } })
    const place = await world.openProject([HELLO])
    const [queued = '', other = ''] = await addTickets(place, 2)
    const admin = { db: world.app.platform.db, now: world.app.clock.now() }
    await queue(place, [place.ticketId])
    assert.equal(await startNextBuild(), 1)
    await pauseBuilds(admin, ' the model is  being replaced\n')
    await assert.rejects(
      pauseBuilds(admin, 'again'),
      /^AdminError: Builds have been paused since .*: the model is being/,
    )
    await assert.rejects(pauseBuilds(admin, 'x'.repeat(301)), /at most 300 characters/)
    await runStarted(place)
    assert.equal((await runsOf(place))[0]?.outcome, 'replied', 'it was running before')
    for (const route of ['build', 'build/stream'])
      assert.deepEqual(
        await place
          .call(`POST /tickets/${other}/${route}`, {})
          .then(({ status, error }) => ({ status, ...error })),
        { status: 503, code: 'unavailable', message: 'Builds are paused: the model is being replaced' },
      )
    assert.deepEqual((await queue(place, [queued])).data.queued, [queued])
    assert.equal(await startNextBuild(), 0)
    const readWaiting = async () =>
      (await place.get<{ queued: { waiting: object | null }[] }>('/build/queue')).data.queued[0]?.waiting
    assert.deepEqual(await readWaiting(), { reason: 'paused', until: null })
    assert.equal((await resumeBuilds(admin)).reason, 'the model is being replaced')
    await assert.rejects(resumeBuilds(admin), /Builds are not paused/)
    assert.equal(await readWaiting(), null)
    assert.equal(await startNextBuild(), 1)
    await runStarted(place)
    assert.equal((await place.call(`POST /build/queue`, { ticketIds: [other] })).status, 200)
    assert.equal(await startNextBuild(), 1)
    await runStarted(place)
    assert.equal((await runsOf(place)).length, 3)
  })

  test('pausing builds waits for a build that is just being started', async () => {
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

  test('a queue whose organization has used up its builds per hour waits until the next build is allowed', async () => {
    leaves({ events: { 'ticket.created': 1, 'ticket.updated': 2 }, jobs: { build: 2 } })
    const place = await world.openProject([HELLO])
    const { db } = world.app.platform
    await queue(place, [place.ticketId])
    await startNextBuild()
    await runStarted(place)
    const [run] = await db.selectFrom('runs').selectAll().where('project_id', '=', place.projectId).execute()
    assert.ok(run)
    const { org_id, created_at } = run
    // Builds of deleted projects also count, even though their runs have been deleted.
    await db
      .insertInto('build_starts')
      .values(Array.from({ length: 99 }, () => ({ org_id, created_at })))
      .execute()
    const readWaiting = async () =>
      (await place.get<{ queued: { waiting: object | null }[] }>('/build/queue')).data.queued[0]?.waiting
    const setPlan = (plan: 'free' | 'enterprise') =>
      db.updateTable('organization_settings').set({ plan }).where('org_id', '=', run.org_id).execute()
    await setPlan('free')
    const next = await place.addTicket()
    assert.deepEqual((await queue(place, [next])).data.queued, [next])
    assert.equal(await startNextBuild(), 0)
    const until = new Date(created_at.getTime() + 3_600_000).toISOString()
    assert.deepEqual(await readWaiting(), { reason: 'allowance', until })
    world.app.clock.advance(3_599_000)
    assert.equal(await startNextBuild(), 0)
    world.app.clock.advance(1_000)
    assert.equal(await startNextBuild(), 1)
    await runStarted(place)
    await setPlan('enterprise')
  })

  test('a queued build of an organization without a settings row starts with the default plan', async () => {
    leaves(A_BUILD)
    const place = await world.openProject([HELLO])
    await queue(place, [place.ticketId])
    const { db } = world.app.platform
    const orgId = world.person.organizationId
    const settings = await db
      .deleteFrom('organization_settings')
      .where('org_id', '=', orgId)
      .returningAll()
      .execute()
    assert.equal(settings.length, 1)
    assert.equal(await startNextBuild(), 1)
    await runStarted(place)
    await db.insertInto('organization_settings').values(settings).execute()
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
    assert.equal(await startNextBuild(), 0)
    await setLifecycle('offline')
    assert.equal(await startNextBuild(), 1)
    await runStarted(place)
  })

  test('without a connected model the build queue waits, and no further ticket can be queued', async () => {
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
    assert.equal(await startNextBuild(), 0)
    assert.equal((await readQueue(place)).queued.length, 1)
    await place.call(`DELETE /build/queue/${place.ticketId}`)
  })
})
