import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Client, eventsOf, testApp, type TestApp } from '../testing/app.ts'
import { leaves } from '../testing/effects.ts'

type TicketRecord = Record<string, unknown> & { id: string }

const NOBODY = 'tkt_00000000000000000000000000'

describe('changing a ticket', () => {
  let app: TestApp
  let owner: Client
  let tickets: string
  let ticket: TicketRecord
  before(async () => {
    app = await testApp()
  })
  beforeEach(async () => {
    owner = await app.signUp()
    const project = await owner.call<{ id: string }>('POST /projects', {})
    tickets = `/projects/${project.data.id}/tickets`
    ticket = await createTicket({
      title: 'One',
      body: 'Text',
      labels: ['a', 'b'],
      dueAt: '2026-12-24T18:00:00Z',
    })
    app.effects.prepared({ events: { 'project.created': 1, 'ticket.created': 1 } })
    app.clock.advance(1000)
  })
  after(() => app.close())

  const createTicket = async (fields: object) =>
    (await owner.call<TicketRecord>(`POST ${tickets}`, fields)).data
  const patchTicket = (fields: object, id = ticket.id) =>
    owner.call<TicketRecord>(`PATCH ${tickets}/${id}`, fields)
  const listChanges = async () => {
    const rows = await app.platform.db
      .selectFrom('events')
      .select('body')
      .where('org_id', '=', owner.organizationId)
      .where('type', '=', 'ticket.updated')
      .orderBy('id')
      .execute()
    return rows.map((row) => (JSON.parse(row.body) as { data: { ticketId: string; changed: string[] } }).data)
  }

  test('every field of a ticket can be changed alone, and the event names it', async () => {
    leaves({ events: { 'ticket.created': 1, 'ticket.updated': 9 } })
    const parent = await createTicket({ title: 'Parent' })
    const fields: Record<string, unknown> = {
      title: 'Two',
      body: '',
      status: 'cancelled',
      type: 'epic',
      priority: 'urgent',
      dueAt: '2027-01-01T00:00:00.000Z',
      parent: parent.id,
      labels: [],
      dependsOn: [parent.id],
    }
    let expected: Record<string, unknown> = { ...ticket, updatedAt: app.clock.now().toISOString() }
    for (const [name, value] of Object.entries(fields)) {
      expected = { ...expected, [name]: value }
      const changed = await patchTicket({ [name]: value })
      assert.equal(changed.status, 200, String(changed.error?.message))
      assert.deepEqual(changed.data, expected)
    }
    assert.deepEqual(
      await listChanges(),
      Object.keys(fields).map((name) => ({ ticketId: ticket.id, changed: [name] })),
    )
  })

  test('changing all fields of a ticket at once fires one event', async () => {
    leaves({ events: { 'ticket.updated': 1 } })
    await patchTicket({
      title: 'Two',
      body: 'More',
      status: 'done',
      type: 'bug',
      priority: 'low',
      dueAt: null,
      labels: ['b'],
    })
    const changed = ['title', 'body', 'status', 'type', 'priority', 'dueAt', 'labels']
    assert.deepEqual(await listChanges(), [{ ticketId: ticket.id, changed }])
  })

  test('setting ticket fields to equal values in another notation changes nothing and fires no event', async () => {
    const same = [
      {},
      { title: '  One ' },
      { dueAt: '2026-12-24T19:00:00+01:00' },
      { labels: [' a', 'b '] },
      { parent: null, status: 'todo' },
      { origin: 'not a field one may set', id: NOBODY, createdAt: '2020-01-01T00:00:00Z' },
    ]
    for (const fields of same) assert.deepEqual((await patchTicket(fields)).data, ticket)
    assert.deepEqual(await eventsOf(app, owner), ['project.created', 'ticket.created'])
  })

  test('a refused change leaves the ticket unchanged and fires no event', async () => {
    leaves({ events: { 'ticket.created': 1 } })
    const child = await createTicket({ title: 'Child', parent: ticket.id })
    const bad: [object, string][] = [
      [{ title: '' }, 'title'],
      [{ title: null }, 'title'],
      [{ body: 'x'.repeat(65_537) }, 'body'],
      [{ status: 'open' }, 'status'],
      [{ type: null }, 'type'],
      [{ priority: 'p1' }, 'priority'],
      [{ dueAt: '2026-13-01T00:00:00Z' }, 'dueAt'],
      [{ labels: Array.from({ length: 21 }, (_, i) => `l${i}`) }, 'labels'],
      [{ labels: ['x'.repeat(51)] }, 'labels.0'],
      [{ parent: ticket.id }, 'parent'],
      [{ parent: child.id }, 'parent'],
      [{ parent: NOBODY }, 'parent'],
      [{ parent: '' }, 'parent'],
      [{ status: 'done', parent: NOBODY }, 'parent'],
      [{ dependsOn: [ticket.id] }, 'dependsOn'],
      [{ dependsOn: [child.id, child.id] }, 'dependsOn'],
      [{ dependsOn: [child.id, NOBODY] }, 'dependsOn'],
      [{ dependsOn: Array.from({ length: 21 }, (_, n) => `tkt_${n}`) }, 'dependsOn'],
      [{ dependsOn: null }, 'dependsOn'],
    ]
    for (const [fields, name] of bad) {
      const refused = await patchTicket(fields)
      assert.equal(refused.status, 400, JSON.stringify(fields).slice(0, 80))
      assert.ok(refused.error?.message.startsWith(`${name}: `), String(refused.error?.message))
    }
    assert.deepEqual((await owner.call(`GET ${tickets}/${ticket.id}`)).data, ticket)
    assert.deepEqual(await listChanges(), [])
  })

  test('ticket dependencies form no cycle, even with two simultaneous changes, and cannot be epics or tickets of another project', async () => {
    leaves({ events: { 'project.created': 1, 'ticket.created': 6, 'ticket.updated': 3 } })
    const elsewhere = await owner.call<{ id: string }>('POST /projects', {})
    const foreign = await owner.call<TicketRecord>(`POST /projects/${elsewhere.data.id}/tickets`, {
      title: 'X',
    })
    const epic = await createTicket({ title: 'Epic', type: 'epic' })
    const second = await createTicket({ title: 'Second', dependsOn: [ticket.id] })
    const third = await createTicket({ title: 'Third', dependsOn: [second.id] })
    assert.deepEqual(second['dependsOn'], [ticket.id])
    for (const [id, told] of [
      [foreign.data.id, / is not a ticket of this project$/],
      [epic.id, / is an epic/],
      [third.id, /cycle/],
    ] as const) {
      const refused = await patchTicket({ dependsOn: [id] })
      assert.equal(refused.status, 400)
      assert.match(String(refused.error?.message), told)
    }
    const created = await owner.call(`POST ${tickets}`, { title: 'Bad', dependsOn: [foreign.data.id] })
    assert.match(String(created.error?.message), /^dependsOn: .* is not a ticket of this project$/)
    const [a, b] = [await createTicket({ title: 'A' }), await createTicket({ title: 'B' })]
    const both = await Promise.all([
      patchTicket({ dependsOn: [b.id] }, a.id),
      patchTicket({ dependsOn: [a.id] }, b.id),
    ])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400])
    // A dependency that becomes an epic later remains until a person removes it.
    await patchTicket({ type: 'epic' }, second.id)
    const more = await patchTicket({ dependsOn: [second.id, a.id] }, third.id)
    assert.deepEqual(more.data['dependsOn'], [second.id, a.id])
  })

  test('setting the parent of a ticket to a ticket of another project is refused', async () => {
    leaves({ events: { 'project.created': 1, 'ticket.created': 1 } })
    const elsewhere = await owner.call<{ id: string }>('POST /projects', {})
    const foreign = await owner.call<{ id: string }>(`POST /projects/${elsewhere.data.id}/tickets`, {
      title: 'X',
    })
    const refused = await patchTicket({ parent: foreign.data.id })
    assert.match(String(refused.error?.message), /^parent: /)
  })

  test('simultaneous changes of a ticket each fire their own event and none is lost', async () => {
    leaves({ events: { 'ticket.updated': 3 } })
    const answers = await Promise.all([
      patchTicket({ title: 'Two' }),
      patchTicket({ status: 'done' }),
      patchTicket({ labels: ['z'] }),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    const { data } = await owner.call<TicketRecord>(`GET ${tickets}/${ticket.id}`)
    assert.deepEqual([data['title'], data['status'], data['labels']], ['Two', 'done', ['z']])
    assert.deepEqual((await listChanges()).flatMap(({ changed }) => changed).toSorted(), [
      'labels',
      'status',
      'title',
    ])
  })

  test('changing a ticket that is unknown or belongs to another project or organization returns the same 404', async () => {
    leaves({ events: { 'project.created': 1 } })
    const elsewhere = await owner.call<{ id: string }>('POST /projects', {})
    const stranger = await app.signUp()
    const answers = [
      await patchTicket({ title: 'Two' }, NOBODY),
      await owner.call(`PATCH /projects/${elsewhere.data.id}/tickets/${ticket.id}`, { title: 'Two' }),
      await stranger.call(`PATCH ${tickets}/${ticket.id}`, { title: 'Two' }),
    ]
    for (const answer of answers) {
      assert.equal(answer.status, 404)
      assert.deepEqual(answer.error, answers[0]?.error)
    }
  })

  test('creating a ticket while its project is being deleted returns 404 and not an internal error', async () => {
    const { pool } = app.platform
    const deleting = await pool.connect()
    await deleting.query('begin')
    await deleting.query('delete from projects where org_id = $1', [owner.organizationId])
    const writing = owner.call(`POST ${tickets}`, { title: 'Too late' })
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await deleting.query(waits)).rowCount === 0) await new Promise((resolve) => setImmediate(resolve))
    await deleting.query('commit')
    deleting.release()
    assert.equal((await writing).status, 404)
  })
})
