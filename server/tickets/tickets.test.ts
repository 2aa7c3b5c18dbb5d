import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Client, eventsOf, testApp, type TestApp } from '../testing/app.ts'
import { Ticket } from './ticket.ts'
import { leaves } from '../testing/effects.ts'

interface TicketRecord {
  id: string
  title: string
  parent: string | null
  [field: string]: unknown
}

describe('tickets', () => {
  let app: TestApp
  let owner: Client
  let tickets: string
  before(async () => {
    app = await testApp()
  })
  beforeEach(async () => {
    owner = await app.signUp()
    const project = await owner.call<{ id: string }>('POST /projects', { name: 'Tickets' })
    app.effects.prepared({ events: { 'project.created': 1 } })
    tickets = `/projects/${project.data.id}/tickets`
  })
  after(() => app.close())

  const createTicket = async (fields: object = { title: 'One' }) => {
    app.clock.advance(1)
    return owner.call<TicketRecord>(`POST ${tickets}`, fields)
  }

  test('a ticket is stored with its defaults, is returned unchanged by a later read, and fires one event', async () => {
    leaves({ events: { 'ticket.created': 1 } })
    const made = await createTicket({ title: '  Water the plants ', labels: [' green '] })
    assert.equal(made.status, 200, String(made.error?.message))
    assert.equal(made.data.title, 'Water the plants')
    assert.deepEqual(made.data['labels'], ['green'])
    assert.deepEqual(made.data['build'], { state: 'idle', runId: null, outcome: null, refused: null })
    assert.equal(made.data['source'], 'human')
    assert.ok(Ticket.parse(made.data))
    const read = await owner.call<TicketRecord>(`GET ${tickets}/${made.data.id}`)
    assert.deepEqual(read.data, made.data)
    assert.deepEqual(await eventsOf(app, owner), ['project.created', 'ticket.created'])
  })

  test('simultaneous reads of several tickets each return the requested ticket to its own caller', async () => {
    leaves({ events: { 'project.created': 1, 'ticket.created': 2 } })
    const [one, two] = [(await createTicket({ title: 'A' })).data, (await createTicket({ title: 'B' })).data]
    const elsewhere = await owner.call<{ id: string }>('POST /projects', { name: 'Elsewhere' })
    const stranger = await app.signUp()
    const reads = await Promise.all([
      owner.call<TicketRecord>(`GET ${tickets}/${one.id}`),
      owner.call<TicketRecord>(`GET ${tickets}/${two.id}`),
      owner.call(`GET /projects/${elsewhere.data.id}/tickets/${one.id}`),
      stranger.call(`GET ${tickets}/${one.id}`),
      owner.call(`GET ${tickets}/${one.id}%2F`),
      owner.call(`GET ${tickets.replace('/tickets', '%2F')}/tickets/${one.id}`),
    ])
    assert.deepEqual(
      reads.map((read) => read.status),
      [200, 200, 404, 404, 404, 404],
    )
    assert.deepEqual([reads[0]?.data, reads[1]?.data], [one, two])
  })

  test('the ticket list is newest first and has at most the requested number of tickets, or every ticket without a limit', async () => {
    leaves({ events: { 'ticket.created': 3 } })
    for (const title of ['A', 'B', 'C']) await createTicket({ title })
    const all = await owner.call<TicketRecord[]>(`GET ${tickets}`)
    assert.deepEqual(
      all.data.map((ticket) => ticket.title),
      ['C', 'B', 'A'],
    )
    const two = await owner.call<TicketRecord[]>(`GET ${tickets}?limit=2`)
    assert.deepEqual(
      two.data.map((ticket) => ticket.title),
      ['C', 'B'],
    )
  })

  test('a change of a ticket changes only the given fields, and its event names the fields whose values changed', async () => {
    leaves({ events: { 'ticket.created': 1, 'ticket.updated': 2 } })
    const { id } = (await createTicket({ title: 'One', body: 'text', dueAt: '2026-12-24T18:00:00+01:00' }))
      .data
    const changed = await owner.call<TicketRecord>(`PATCH ${tickets}/${id}`, {
      status: 'done',
      labels: ['x'],
    })
    assert.equal(changed.data['status'], 'done')
    assert.equal(changed.data['body'], 'text')
    assert.equal(changed.data['dueAt'], '2026-12-24T17:00:00.000Z')
    const cleared = await owner.call<TicketRecord>(`PATCH ${tickets}/${id}`, { dueAt: null, status: 'done' })
    assert.equal(cleared.data['dueAt'], null)
    const rows = await app.platform.db
      .selectFrom('events')
      .select('body')
      .where('org_id', '=', owner.organizationId)
      .where('type', '=', 'ticket.updated')
      .orderBy('id')
      .execute()
    const changes = rows.map((row) => (JSON.parse(row.body) as { data: { changed: string[] } }).data.changed)
    assert.deepEqual(changes, [['status', 'labels'], ['dueAt']])
  })

  test('a change of a ticket without effect fires no event', async () => {
    leaves({ events: { 'ticket.created': 1 } })
    const { id } = (await createTicket()).data
    await owner.call(`PATCH ${tickets}/${id}`, { title: 'One' })
    await owner.call(`PATCH ${tickets}/${id}`, {})
    assert.deepEqual(await eventsOf(app, owner), ['project.created', 'ticket.created'])
  })

  test('the ticket tree allows no cycle, no unknown parent and at most eight levels', async () => {
    leaves({ events: { 'ticket.created': 9, 'ticket.updated': 1 } })
    const chain: string[] = []
    for (let level = 1; level <= 8; level++) {
      const made = await createTicket({ title: `Level ${level}`, parent: chain.at(-1) ?? null })
      assert.equal(made.status, 200)
      chain.push(made.data.id)
    }
    const [top = '', second = ''] = chain
    const deeper = await createTicket({ title: 'Level 9', parent: chain.at(-1) })
    const circle = await owner.call(`PATCH ${tickets}/${top}`, { parent: chain[3] })
    const self = await owner.call(`PATCH ${tickets}/${top}`, { parent: top })
    const unknown = await createTicket({ title: 'Orphan', parent: 'tkt_00000000000000000000000000' })
    for (const answer of [deeper, circle, self, unknown]) {
      assert.equal(answer.status, 400)
      assert.match(answer.error?.message ?? '', /^parent: /)
    }
    const side = (await createTicket({ title: 'Side' })).data.id
    const moved = await owner.call(`PATCH ${tickets}/${second}`, { parent: side })
    assert.equal(moved.status, 200)
  })

  test('the parent of a new or changed ticket must be a ticket of the same project', async () => {
    leaves({ events: { 'project.created': 2, 'ticket.created': 3 } })
    const ticket = (await createTicket()).data
    const stranger = await app.signUp()
    for (const person of [owner, stranger]) {
      const project = await person.call<{ id: string }>('POST /projects', { name: 'Elsewhere' })
      const foreign = await person.call<TicketRecord>(`POST /projects/${project.data.id}/tickets`, {
        title: 'Foreign',
      })
      const parent = foreign.data.id
      for (const refused of [
        await createTicket({ title: 'Child', parent }),
        await owner.call(`PATCH ${tickets}/${ticket.id}`, { parent }),
      ]) {
        assert.equal(refused.status, 400)
        assert.equal(refused.error?.message, 'parent: is not a ticket of this project')
      }
    }
    assert.deepEqual((await owner.call(`GET ${tickets}/${ticket.id}`)).data, ticket)
  })

  test('two simultaneous moves of tickets cannot form a cycle', async () => {
    leaves({ events: { 'ticket.created': 2, 'ticket.updated': 1 } })
    const a = (await createTicket({ title: 'A' })).data.id
    const b = (await createTicket({ title: 'B' })).data.id
    const answers = await Promise.all([
      owner.call(`PATCH ${tickets}/${a}`, { parent: b }),
      owner.call(`PATCH ${tickets}/${b}`, { parent: a }),
    ])
    assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [200, 400])
  })

  test('an error for a bad ticket field names the field, and nothing is stored', async () => {
    const bad: [object, string][] = [
      [{}, 'title'],
      [{ title: '' }, 'title'],
      [{ title: 'x'.repeat(201) }, 'title'],
      [{ title: 'x', status: 'open' }, 'status'],
      [{ title: 'x', type: 'story' }, 'type'],
      [{ title: 'x', priority: 1 }, 'priority'],
      [{ title: 'x', dueAt: 'tomorrow' }, 'dueAt'],
      [{ title: 'x', dueAt: 1780000000000 }, 'dueAt'],
      [{ title: 'x', dueAt: '0000-01-01T00:00:00Z' }, 'dueAt'],
      [{ title: 'x', dueAt: '9999-12-31T23:59:59-01:00' }, 'dueAt'],
      [{ title: 'x', labels: ['a', 'A'] }, 'labels'],
      [{ title: 'x', labels: [''] }, 'labels.0'],
      [{ title: 'x', labels: 'a' }, 'labels'],
      [{ title: 'x', body: 'é'.repeat(40_000) }, 'body'],
      [{ title: 'x', body: 'a\u0000' }, 'body'],
    ]
    for (const [fields, name] of bad) {
      const answer = await createTicket(fields)
      assert.equal(answer.status, 400, JSON.stringify(fields).slice(0, 80))
      assert.ok(answer.error?.message.startsWith(`${name}: `), `${name} in ${answer.error?.message}`)
    }
    assert.deepEqual((await owner.call(`GET ${tickets}`)).data, [])
  })

  test('an emoji counts as one character in the limits of titles, labels and searches', async () => {
    leaves({ events: { 'ticket.created': 1 } })
    const [title, label] = ['🌵'.repeat(200), '🌱'.repeat(50)]
    const made = await createTicket({ title, labels: [label] })
    assert.equal(made.status, 200, String(made.error?.message))
    assert.equal(made.data.title, title)
    const search = (query: Record<string, string>) =>
      owner.call<{ items: { id: string }[] }>(
        `GET ${tickets}/search?${new URLSearchParams(query).toString()}`,
      )
    const found = await search({ q: '🌵'.repeat(100), label })
    assert.deepEqual(
      found.data.items.map(({ id }) => id),
      [made.data.id],
      String(found.error?.message),
    )
    const refused = [
      await createTicket({ title: `${title}🌵` }),
      await createTicket({ title: 'x', labels: [`${label}🌱`] }),
      await search({ q: '🌵'.repeat(101) }),
    ]
    assert.deepEqual(
      refused.map(({ error }) => error?.message),
      [
        'title: must have at most 200 characters',
        'labels.0: must have at most 50 characters',
        'q: must have at most 100 characters',
      ],
    )
  })

  test('a lone surrogate in a ticket is replaced before it is stored', async () => {
    leaves({ events: { 'ticket.created': 1 } })
    const made = await createTicket({ title: 'a\ud800b' })
    assert.equal(made.data.title, 'a\ufffdb')
  })
})
