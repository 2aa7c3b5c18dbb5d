import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Client, eventsOf, testApp, type TestApp } from '../testing/app.ts'
import type { TicketRollup, TicketStats } from './ticket-counts.ts'
import { leaves } from '../testing/effects.ts'

const NONE = { backlog: 0, todo: 0, in_progress: 0, in_review: 0, done: 0, cancelled: 0 }

describe('ticket counts', () => {
  let app: TestApp
  let owner: Client
  let tickets: string
  before(async () => {
    app = await testApp()
  })
  beforeEach(async () => {
    owner = await app.signUp()
    const project = await owner.call<{ id: string }>('POST /projects', {})
    app.effects.prepared({ events: { 'project.created': 1 } })
    tickets = `/projects/${project.data.id}/tickets`
  })
  after(() => app.close())

  const createTicket = async (fields: object = {}) =>
    (await owner.call<{ id: string }>(`POST ${tickets}`, { title: 'One', ...fields })).data.id
  const readStats = async () => (await owner.call<TicketStats>(`GET ${tickets}/stats`)).data
  const readLabels = async () => (await owner.call(`GET ${tickets}/labels`)).data
  const readRollups = async (ids: string[]) =>
    (await owner.call<Record<string, TicketRollup>>(`POST ${tickets}/rollups`, { ids })).data

  test('ticket stats contain every status, type and priority, with 0 where there is no ticket', async () => {
    assert.deepEqual(await readStats(), {
      total: 0,
      open: 0,
      overdue: 0,
      byStatus: NONE,
      byType: { epic: 0, feature: 0, task: 0, bug: 0, chore: 0 },
      byPriority: { none: 0, low: 0, medium: 0, high: 0, urgent: 0 },
    })
  })

  test('creating and changing tickets updates the ticket stats', async () => {
    leaves({ events: { 'ticket.created': 3, 'ticket.updated': 1 } })
    const id = await createTicket({ type: 'bug', priority: 'high' })
    await createTicket({ status: 'done' })
    await createTicket({ status: 'cancelled' })
    const before = await readStats()
    assert.deepEqual([before.total, before.open], [3, 1])
    assert.deepEqual(before.byStatus, { ...NONE, todo: 1, done: 1, cancelled: 1 })
    assert.deepEqual([before.byType.bug, before.byType.task, before.byPriority.high], [1, 2, 1])
    await owner.call(`PATCH ${tickets}/${id}`, { status: 'done', type: 'chore', priority: 'low' })
    const after = await readStats()
    assert.deepEqual([after.total, after.open], [3, 0])
    assert.deepEqual(after.byStatus, { ...NONE, done: 2, cancelled: 1 })
    assert.deepEqual([after.byType.bug, after.byType.chore, after.byPriority.low], [0, 1, 1])
  })

  test('the overdue count is the number of open tickets whose due time has passed', async () => {
    leaves({ events: { 'ticket.created': 5, 'ticket.updated': 1 } })
    const timeAt = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString()
    const late = await createTicket({ dueAt: timeAt(-1) })
    await createTicket({ dueAt: timeAt(-1), status: 'done' })
    await createTicket({ dueAt: timeAt(0) })
    await createTicket({ dueAt: timeAt(5000) })
    await createTicket()
    assert.equal((await readStats()).overdue, 1)
    app.clock.advance(10_000)
    assert.equal((await readStats()).overdue, 3)
    await owner.call(`PATCH ${tickets}/${late}`, { dueAt: null })
    assert.equal((await readStats()).overdue, 2)
  })

  test('labels are returned with their counts, most used first, and spellings that differ only in case count as one label', async () => {
    leaves({ events: { 'ticket.created': 3, 'ticket.updated': 1 } })
    const id = await createTicket({ labels: ['a', 'z'] })
    await createTicket({ labels: ['z', 'Bug'] })
    await createTicket({ labels: ['bug'] })
    assert.deepEqual(await readLabels(), [
      { label: 'Bug', count: 2 },
      { label: 'z', count: 2 },
      { label: 'a', count: 1 },
    ])
    await owner.call(`PATCH ${tickets}/${id}`, { labels: ['b'] })
    assert.deepEqual(await readLabels(), [
      { label: 'Bug', count: 2 },
      { label: 'b', count: 1 },
      { label: 'z', count: 1 },
    ])
  })

  test('the rollup of a ticket counts all descendants at any depth, without the ticket itself', async () => {
    leaves({ events: { 'ticket.created': 7 } })
    const top = await createTicket({ type: 'epic' })
    const middle = await createTicket({ parent: top, status: 'in_progress' })
    for (const status of ['done', 'done', 'cancelled', 'todo']) await createTicket({ parent: middle, status })
    const alone = await createTicket()
    const byStatus = { ...NONE, todo: 1, done: 2, cancelled: 1 }
    assert.deepEqual(await readRollups([top, middle, alone]), {
      [top]: { total: 5, open: 2, done: 2, cancelled: 1, byStatus: { ...byStatus, in_progress: 1 } },
      [middle]: { total: 4, open: 1, done: 2, cancelled: 1, byStatus },
      [alone]: { total: 0, open: 0, done: 0, cancelled: 0, byStatus: NONE },
    })
  })

  test('ticket rollups leave out ids that are not tickets of the project, and return a repeated id once', async () => {
    leaves({ events: { 'project.created': 1, 'ticket.created': 2 } })
    const id = await createTicket()
    const other = await owner.call<{ id: string }>('POST /projects', {})
    const foreign = await owner.call<{ id: string }>(`POST /projects/${other.data.id}/tickets`, {
      title: 'X',
    })
    const ids = [id, id, foreign.data.id, 'tkt_00000000000000000000000000', '__proto__', '']
    assert.deepEqual(Object.keys(await readRollups(ids)), [id])
    assert.deepEqual(await readRollups(['nothing']), {})
    assert.deepEqual(Object.keys(await readRollups([...Array<string>(499).fill('x'), id])), [id])
  })

  test('reading the rollups of an empty list of ticket ids returns none', async () => {
    assert.deepEqual(await readRollups([]), {})
  })

  test('a request for ticket rollups with no ids, too many ids or ids that are not strings is refused with an error for the ids field', async () => {
    for (const body of [{}, { ids: 'x' }, { ids: Array(501).fill('x') }, { ids: [1] }]) {
      const refused = await owner.call(`POST ${tickets}/rollups`, body)
      assert.equal(refused.status, 400)
      assert.match(String(refused.error?.message), /^ids(\.0)?: /)
    }
  })

  test('requesting ticket rollups is a read even though it is a POST: a read-only key may do it, and no event is fired', async () => {
    leaves({ events: { 'ticket.created': 1 } })
    const id = await createTicket()
    const reader = await app.keyFor(owner, ['projects:read'])
    const answer = await reader.call(`POST ${tickets}/rollups`, { ids: [id] })
    assert.equal(answer.status, 200)
    assert.deepEqual(await eventsOf(app, owner), ['project.created', 'ticket.created'])
    const writer = await app.keyFor(owner, ['tickets:write'])
    const refused = await writer.call(`POST ${tickets}/rollups`, { ids: [id] })
    assert.equal(refused.error?.code, 'forbidden_scope')
  })

  test("requests for the ticket stats, labels and rollups of another organization's project return 404", async () => {
    leaves({ events: { 'ticket.created': 1 } })
    const stranger = await app.signUp()
    assert.equal((await stranger.call(`GET ${tickets}/stats`)).status, 404)
    assert.equal((await stranger.call(`GET ${tickets}/labels`)).status, 404)
    assert.equal(
      (await stranger.call(`POST ${tickets}/rollups`, { ids: [await createTicket()] })).status,
      404,
    )
  })
})
