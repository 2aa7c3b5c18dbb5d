import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { type Client, eventsOf, testApp, type TestApp } from '../testing/app.ts'
import { captureIdeas, startCapture } from './capture-ideas.ts'
import { purgeIdeas } from './purge-ideas.ts'
import { openSource, type OpenSource, postIdea, ticketsOf } from './testing.ts'
import { leaves } from '../testing/effects.ts'

describe('turning ideas into tickets', () => {
  let app: TestApp
  let owner: Client

  before(async () => {
    app = await testApp()
    owner = await app.signUp('Olga Owner')
  })
  after(() => app.close())
  afterEach(() => app.platform.pool.query('delete from ideas'))

  const listIdeas = () =>
    app.platform.db
      .selectFrom('ideas')
      .select(['ticket_id', 'external_id', 'state', 'attempt', 'title', 'body', 'next_at'])
      .orderBy('ticket_id')
      .execute()
  const queueIdeas = async (source: OpenSource, count: number) => {
    for (let i = 0; i < count; i++)
      assert.equal((await postIdea(app, source, { title: `Idea ${i}` })).status, 202)
  }

  test('a ticket made from an idea has the ingest source as its creator, and its event ticket.created contains the source', async () => {
    leaves({
      events: { 'project.created': 1, 'ticket.created': 1 },
      activity: { 'ingest_source.created': 1 },
    })
    const person = await app.signUp('Tina Ticket')
    const source = await openSource(app, person)
    const at = app.clock.now()
    const url = 'https://forum.example.test/t/42'
    await postIdea(app, source, { title: 'Dark mode', text: 'Please.', url })
    assert.equal((await ticketsOf(app, person, source.projectId)).length, 0)
    app.clock.advance(5000)
    assert.deepEqual(await captureIdeas(app.platform), { handled: 1 })
    const [ticket] = await ticketsOf(app, person, source.projectId)
    assert.ok(ticket)
    assert.deepEqual(
      [
        ticket.title,
        ticket.body,
        ticket.url,
        ticket.source,
        ticket.origin,
        ticket.createdBy,
        ticket.createdAt,
      ],
      ['Dark mode', `Please.\n\nSource: <${url}>`, url, 'ingest', null, source.id, at.toISOString()],
    )
    const event = await app.platform.db
      .selectFrom('events')
      .select('body')
      .where('org_id', '=', person.organizationId)
      .where('type', '=', 'ticket.created')
      .executeTakeFirstOrThrow()
    assert.deepEqual((JSON.parse(event.body) as { data: object }).data, {
      ticketId: ticket.id,
      title: 'Dark mode',
      type: 'task',
      source: 'ingest',
    })
    assert.deepEqual(await captureIdeas(app.platform), { handled: 0 })
  })

  test('once an idea has become a ticket, its text is deleted and only the id that the sender gave it stays stored', async () => {
    leaves({
      events: { 'project.created': 1, 'ticket.created': 2 },
      activity: { 'ingest_source.created': 1 },
    })
    const source = await openSource(app, owner)
    await postIdea(app, source, { title: 'With id', id: 'a-1' })
    await postIdea(app, source, { title: 'Without' })
    await captureIdeas(app.platform)
    assert.deepEqual(
      (await listIdeas()).map(({ external_id, state, title, body }) => [external_id, state, title, body]),
      [['a-1', 'captured', '', '']],
    )
  })

  test('an accepted idea still becomes a ticket after its ingest source was removed', async () => {
    leaves({
      events: { 'project.created': 1, 'ticket.created': 1 },
      activity: { 'ingest_source.created': 1, 'ingest_source.deleted': 1 },
    })
    const person = await app.signUp('Rolf Remover')
    const source = await openSource(app, person)
    await postIdea(app, source, { title: 'Kept' })
    await person.call(`DELETE /ingest/${source.id}`)
    await captureIdeas(app.platform)
    assert.deepEqual(
      (await ticketsOf(app, person, source.projectId)).map(({ title }) => title),
      ['Kept'],
    )
  })

  test('once an ingest source is removed, the nightly task deletes the stored ids of its ideas but keeps the queued ideas', async () => {
    leaves({
      events: { 'project.created': 2, 'ticket.created': 2 },
      activity: { 'ingest_source.created': 2, 'ingest_source.deleted': 1 },
    })
    const [kept, removed] = [await openSource(app, owner), await openSource(app, owner)]
    for (const source of [kept, removed]) await postIdea(app, source, { title: 'Known', id: 'a-1' })
    await captureIdeas(app.platform)
    await postIdea(app, removed, { title: 'Still on its way', id: 'a-2' })
    await owner.call(`DELETE /ingest/${removed.id}`)
    await purgeIdeas.run(app.platform, AbortSignal.timeout(5000))
    const rows = await app.platform.db.selectFrom('ideas').select(['source_id', 'state']).execute()
    assert.deepEqual(
      rows.map((row) => [row.source_id, row.state]).toSorted(),
      [
        [kept.id, 'captured'],
        [removed.id, 'queued'],
      ].toSorted(),
    )
  })

  test('an idea that could not become a ticket is deleted after 30 days if its ingest source was removed, and stays otherwise', async () => {
    leaves({
      events: { 'project.created': 2 },
      activity: { 'ingest_source.created': 2, 'ingest_source.deleted': 1 },
    })
    const [kept, removed] = [await openSource(app, owner), await openSource(app, owner)]
    for (const source of [kept, removed]) await postIdea(app, source, { title: 'Unlucky' })
    await app.platform.pool.query(`update ideas set state = 'failed'`)
    await owner.call(`DELETE /ingest/${removed.id}`)
    const sourcesAfter = async (ms: number) => {
      app.clock.advance(ms)
      await purgeIdeas.run(app.platform, AbortSignal.timeout(5000))
      const rows = await app.platform.db.selectFrom('ideas').select('source_id').execute()
      return rows.map((row) => row.source_id).toSorted()
    }
    const month = 30 * 86_400_000
    assert.deepEqual(await sourcesAfter(month - 1), [kept.id, removed.id].toSorted())
    assert.deepEqual(await sourcesAfter(1), [kept.id])
  })

  test('deleting a project deletes its ideas', async () => {
    leaves({ events: { 'project.created': 1 }, activity: { 'ingest_source.created': 1 } })
    const source = await openSource(app, owner)
    await queueIdeas(source, 2)
    await app.platform.db.deleteFrom('projects').where('id', '=', source.projectId).execute()
    assert.deepEqual(await captureIdeas(app.platform), { handled: 0 })
    assert.deepEqual(await listIdeas(), [])
  })

  test("one pass makes tickets of up to a hundred ideas per project, so that no project waits for another project's backlog", async () => {
    leaves({
      events: { 'project.created': 2, 'ticket.created': 111 },
      activity: { 'ingest_source.created': 2 },
    })
    const person = await app.signUp('Fred Flood')
    const [flood, calm] = [await openSource(app, person), await openSource(app, person)]
    await queueIdeas(flood, 110)
    await queueIdeas(calm, 1)
    assert.deepEqual(await captureIdeas(app.platform), { handled: 101 })
    assert.equal((await ticketsOf(app, person, calm.projectId)).length, 1)
    assert.deepEqual(await captureIdeas(app.platform), { handled: 10 })
    const titles = (await ticketsOf(app, person, flood.projectId)).map(({ title }) => title)
    assert.equal(new Set(titles).size, 110)
  })

  test('several processes create one ticket and one event for each idea', async () => {
    leaves({
      events: { 'project.created': 1, 'ticket.created': 60 },
      activity: { 'ingest_source.created': 1 },
    })
    const person = await app.signUp('Paula Parallel')
    const source = await openSource(app, person)
    await queueIdeas(source, 60)
    const rounds = await Promise.all(Array.from({ length: 5 }, () => captureIdeas(app.platform)))
    assert.equal(
      rounds.reduce((sum, { handled }) => sum + handled, 0),
      60,
    )
    assert.equal((await ticketsOf(app, person, source.projectId)).length, 60)
    assert.equal((await eventsOf(app, person)).filter((type) => type === 'ticket.created').length, 60)
  })

  test('a process killed while it turns an idea into a ticket leaves no partial ticket, and the next process creates one ticket', async () => {
    leaves({
      events: { 'project.created': 1, 'ticket.created': 3 },
      activity: { 'ingest_source.created': 1 },
    })
    const person = await app.signUp('Kim Killed')
    const source = await openSource(app, person)
    await queueIdeas(source, 3)
    await breakTickets('Idea 1', 'perform pg_terminate_backend(pg_backend_pid());')
    await assert.rejects(captureIdeas(app.platform))
    assert.equal((await ticketsOf(app, person, source.projectId)).length, 0)
    assert.deepEqual(
      (await listIdeas()).map(({ attempt }) => attempt),
      [0, 0, 0],
    )
    await mendTickets()
    assert.deepEqual(await captureIdeas(app.platform), { handled: 3 })
    assert.equal((await eventsOf(app, person)).filter((type) => type === 'ticket.created').length, 3)
  })

  test('an idea that cannot be stored does not delay others; it is retried after 1, 2, 4, 8 and 16 s and then fails', async () => {
    leaves({
      events: { 'project.created': 1, 'ticket.created': 2 },
      activity: { 'ingest_source.created': 1 },
    })
    const person = await app.signUp('Petra Poison')
    const source = await openSource(app, person)
    await queueIdeas(source, 3)
    await breakTickets('Idea 1', "raise exception 'poison';")
    assert.deepEqual(await captureIdeas(app.platform), { handled: 3 })
    assert.deepEqual((await ticketsOf(app, person, source.projectId)).map(({ title }) => title).toSorted(), [
      'Idea 0',
      'Idea 2',
    ])
    for (const seconds of [1, 2, 4, 8, 16]) {
      app.clock.advance(seconds * 1000 - 1)
      assert.deepEqual(await captureIdeas(app.platform), { handled: 0 }, `${seconds} s`)
      app.clock.advance(1)
      assert.deepEqual(await captureIdeas(app.platform), { handled: 1 }, `${seconds} s`)
    }
    await mendTickets()
    app.clock.advance(3_600_000)
    assert.deepEqual(await captureIdeas(app.platform), { handled: 0 })
    // The failed idea still has its text.
    assert.deepEqual(
      (await listIdeas()).map(({ state, attempt, title }) => [state, attempt, title]),
      [['failed', 6, 'Idea 1']],
    )
  })

  test('an idea whose first attempt fails becomes exactly one ticket', async () => {
    leaves({
      events: { 'project.created': 1, 'ticket.created': 1 },
      activity: { 'ingest_source.created': 1 },
    })
    const person = await app.signUp('Rick Retry')
    const source = await openSource(app, person)
    await queueIdeas(source, 1)
    await breakTickets('Idea 0', "raise exception 'not now';")
    await captureIdeas(app.platform)
    await mendTickets()
    app.clock.advance(1000)
    await captureIdeas(app.platform)
    assert.equal((await ticketsOf(app, person, source.projectId)).length, 1)
    assert.deepEqual(await listIdeas(), [])
  })

  test('an idea that could not become a ticket becomes one when it is sent again with its id', async () => {
    leaves({
      events: { 'project.created': 1, 'ticket.created': 1 },
      activity: { 'ingest_source.created': 1 },
    })
    const person = await app.signUp('Ann Again')
    const source = await openSource(app, person)
    const send = async (title: string) =>
      assert.equal((await postIdea(app, source, { id: 'idea-1', title })).status, 202)
    await send('Once')
    await app.platform.pool.query(`update ideas set state = 'failed', attempt = 6`)
    await send('Once more')
    await captureIdeas(app.platform)
    const tickets = await ticketsOf(app, person, source.projectId)
    assert.deepEqual(
      tickets.map(({ title }) => title),
      ['Once more'],
    )
  })

  test('the background loop turns queued ideas into tickets, and can be stopped and started again', async () => {
    leaves({
      events: { 'project.created': 1, 'ticket.created': 2 },
      activity: { 'ingest_source.created': 1 },
    })
    const person = await app.signUp('Dora Drain')
    const source = await openSource(app, person)
    const waitForTickets = async (count: number) => {
      while ((await ticketsOf(app, person, source.projectId)).length < count)
        await new Promise((resolve) => setTimeout(resolve, 10))
    }
    const first = startCapture(app.platform)
    await queueIdeas(source, 1)
    await waitForTickets(1)
    await first.stop()
    await queueIdeas(source, 1)
    const second = startCapture(app.platform)
    await waitForTickets(2)
    await second.stop()
    assert.equal((await ticketsOf(app, person, source.projectId)).length, 2)
  })

  /** Adds a trigger that runs `statement` when a ticket with this title is inserted, so that only that insert fails. */
  async function breakTickets(title: string, statement: string): Promise<void> {
    await app.platform.pool.query(`
      create function break_ticket() returns trigger language plpgsql as
      $$ begin ${statement} return new; end $$;
      create trigger break_ticket before insert on tickets for each row when (new.title = '${title}')
      execute function break_ticket()`)
  }

  const mendTickets = () => app.platform.pool.query('drop function break_ticket cascade')
})
