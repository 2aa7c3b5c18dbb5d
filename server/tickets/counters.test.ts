import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { transact } from '../db/database.ts'
import { type Client, testApp, type TestApp } from '../testing/app.ts'
import { recountProject, recountTickets } from './recount.ts'
import { newTicket, storeTickets } from './insert-ticket.ts'
import { NewTicket, TICKET_PRIORITIES, TICKET_STATUSES, TICKET_TYPES } from './ticket.ts'

/** The fixed seed generates the same sequences of changes on every run. */
const SEED = Number(process.env['SLIPWAY_FUZZ_SEED'] ?? 20261120)
const RUNS = Number(process.env['SLIPWAY_FUZZ_RUNS'] ?? 8)

const fields = fc.record(
  {
    status: fc.constantFrom(...TICKET_STATUSES),
    type: fc.constantFrom(...TICKET_TYPES),
    priority: fc.constantFrom(...TICKET_PRIORITIES),
    labels: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')),
  },
  { requiredKeys: [] },
)
/** An index into the existing tickets; -1 means no ticket. */
const which = fc.integer({ min: -1, max: 30 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('create' as const), below: which, fields }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('change' as const), ticket: which, fields }) },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('move' as const), ticket: which, below: which, fields }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('remove' as const), ticket: which }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

describe(`ticket counters (seed ${SEED})`, () => {
  let app: TestApp
  let owner: Client
  before(async () => {
    app = await testApp({ limits: { keyPerMinute: 1e9, sessionPerMinute: 1e9, addressPerMinute: 1e9 } })
    owner = await app.signUp()
  })
  after(() => app.close())

  const newProject = async () => (await owner.call<{ id: string }>('POST /projects', {})).data.id

  async function ticketIds(projectId: string): Promise<string[]> {
    const rows = await app.platform.db
      .selectFrom('tickets')
      .select('id')
      .where('project_id', '=', projectId)
      .orderBy('id')
      .execute()
    return rows.map((row) => row.id)
  }

  async function performStep(projectId: string, ids: string[], wanted: Step): Promise<void> {
    const pickId = (index: number) =>
      index < 0 || ids.length === 0 ? null : (ids[index % ids.length] ?? null)
    const tickets = `/projects/${projectId}/tickets`
    if (wanted.does === 'create') {
      const body = { title: 'One', parent: pickId(wanted.below), ...wanted.fields }
      const made = await owner.call(`POST ${tickets}`, body)
      assert.ok([200, 400, 404].includes(made.status), String(made.error?.message))
      return
    }
    const id = pickId(wanted.ticket)
    if (id === null) return
    if (wanted.does === 'remove') {
      // Deletes with SQL, because the API deletes tickets only together with their project. A project may be
      // deleted while other requests change its tickets, so the counters must be correct then too.
      await transact(app.platform.db, (trx) => trx.deleteFrom('tickets').where('id', '=', id).execute())
      return
    }
    const move = wanted.does === 'move' ? { parent: pickId(wanted.below) } : {}
    const changed = await owner.call(`PATCH ${tickets}/${id}`, { ...wanted.fields, ...move })
    assert.ok([200, 400, 404].includes(changed.status), String(changed.error?.message))
  }

  /** Returns the counters that the triggers maintain, summed as the API does. Leaves out zeros. */
  async function storedCounters(projectId: string) {
    const { db } = app.platform
    const counts = await db
      .selectFrom('ticket_counts')
      .selectAll()
      .where('project_id', '=', projectId)
      .execute()
    const labels = await db
      .selectFrom('label_counts')
      .selectAll()
      .where('project_id', '=', projectId)
      .execute()
    const rollups = await db
      .selectFrom('ticket_rollups as r')
      .innerJoin('tickets as t', 't.id', 'r.ticket_id')
      .selectAll('r')
      .where('t.project_id', '=', projectId)
      .execute()
    const tally = new Tally()
    for (const { kind, value, n } of counts) tally.add(`${kind} ${value}`, n)
    for (const { label, n } of labels) tally.add(`label ${label}`, n)
    for (const { ticket_id, status, n, children } of rollups) {
      tally.add(`below ${ticket_id} ${status}`, n)
      tally.add(`children ${ticket_id} ${status}`, children)
    }
    return tally.entries()
  }

  /** Returns the same counts as `storedCounters`, counted from the tickets themselves. */
  async function countFromTickets(projectId: string) {
    const rows = await app.platform.db
      .selectFrom('tickets')
      .selectAll()
      .where('project_id', '=', projectId)
      .execute()
    const parentOf = new Map(rows.map((row) => [row.id, row.parent_id]))
    const tally = new Tally()
    for (const row of rows) {
      for (const kind of ['status', 'type', 'priority'] as const) tally.add(`${kind} ${row[kind]}`, 1)
      for (const label of row.labels) tally.add(`label ${label}`, 1)
      if (row.parent_id !== null) tally.add(`children ${row.parent_id} ${row.status}`, 1)
      for (let id = row.parent_id; id !== null; id = parentOf.get(id) ?? null)
        tally.add(`below ${id} ${row.status}`, 1)
    }
    return tally.entries()
  }

  test('every ticket of a statement that stores several is counted with its fields and labels', async () => {
    const projectId = await newProject()
    const defaults = { ...NewTicket.parse({ title: 'One' }), origin: null, source: 'human' as const }
    const drafts = [
      { ...defaults, labels: ['a', 'b'] },
      { ...defaults, labels: ['b'], status: 'done' as const },
      { ...defaults, type: 'bug' as const },
    ]
    const tickets = drafts.map((draft) => newTicket(projectId, draft, null, new Date()))
    const key = { orgId: owner.organizationId, projectId }
    await transact(app.platform.db, (trx) => storeTickets(trx, key, tickets))
    const counted = await countFromTickets(projectId)
    assert.deepEqual(await storedCounters(projectId), counted)
    assert.equal((await ticketIds(projectId)).length, 3)
  })

  test('after random changes, three of them at the same time, the stored ticket counters equal a fresh count', async () => {
    let deepest = 0
    const history = fc.array(fc.tuple(step, step, step), { minLength: 8, maxLength: 14 })
    const property = fc.asyncProperty(history, async (rounds) => {
      const projectId = await newProject()
      for (const round of rounds) {
        const ids = await ticketIds(projectId)
        await Promise.all(round.map((wanted) => performStep(projectId, ids, wanted)))
      }
      const expected = await countFromTickets(projectId)
      assert.deepEqual(await storedCounters(projectId), expected)
      assert.equal(await recountProject(app.platform, projectId), 0)
      deepest = Math.max(deepest, expected.filter(([name]) => name.startsWith('below')).length)
    })
    // `endOnFailure` disables shrinking, because a history of concurrent changes does not fail the same way twice.
    await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true })
    assert.ok(deepest > 3, 'no history made a tree with more than three counters of descendants')
  })

  test('concurrent changes to tickets of one parent, label and project leave all ticket counters correct', async () => {
    const projectId = await newProject()
    const tickets = `/projects/${projectId}/tickets`
    const { id: parent } = (await owner.call<{ id: string }>(`POST ${tickets}`, { title: 'Top' })).data
    const made = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        owner.call<{ id: string }>(`POST ${tickets}`, {
          title: `Ticket ${i}`,
          labels: i % 2 === 0 ? ['x', 'y'] : ['y', 'x'],
          parent: i % 3 === 0 ? null : parent,
        }),
      ),
    )
    const changes = made.map(({ data }, i) =>
      owner.call(`PATCH ${tickets}/${data.id}`, i % 4 === 0 ? { parent } : { status: 'done', labels: ['z'] }),
    )
    // A recount during concurrent changes finds no wrong counter and changes no counter.
    const recounts = Array.from({ length: 4 }, () => recountProject(app.platform, projectId))
    const changeOfTop = owner.call(`PATCH ${tickets}/${parent}`, { status: 'in_progress', type: 'epic' })
    for (const answer of await Promise.all([...changes, changeOfTop])) assert.equal(answer.status, 200)
    assert.deepEqual(await Promise.all(recounts), [0, 0, 0, 0])
    assert.deepEqual(await storedCounters(projectId), await countFromTickets(projectId))
  })

  test('moving a ticket with children to another parent updates the counters of both parents', async () => {
    const projectId = await newProject()
    const tickets = `/projects/${projectId}/tickets`
    const createTicket = async (parent: string | null, status = 'todo') =>
      (await owner.call<{ id: string }>(`POST ${tickets}`, { title: 'One', parent, status })).data.id
    const [left, right] = [await createTicket(null), await createTicket(null)]
    const middle = await createTicket(left)
    for (const status of ['todo', 'done', 'cancelled']) await createTicket(middle, status)
    await owner.call(`PATCH ${tickets}/${middle}`, { parent: right, status: 'done' })
    assert.deepEqual(await storedCounters(projectId), await countFromTickets(projectId))
    const below = (await storedCounters(projectId)).filter(([name]) => name.includes(left))
    assert.deepEqual(below, [])
  })

  test('the ticket counters are correct after one SQL statement changes or deletes many tickets', async () => {
    const projectId = await newProject()
    const tickets = `/projects/${projectId}/tickets`
    let parent: string | null = null
    for (let level = 0; level < 6; level++) {
      const made: { data: { id: string } } = await owner.call<{ id: string }>(`POST ${tickets}`, {
        title: `Level ${level}`,
        parent,
      })
      parent = made.data.id
    }
    const { pool } = app.platform
    await pool.query(`update tickets set status = 'done', labels = '{m}' where project_id = $1`, [projectId])
    assert.deepEqual(await storedCounters(projectId), await countFromTickets(projectId))
    await pool.query('update tickets set parent_id = null where project_id = $1', [projectId])
    assert.deepEqual(await storedCounters(projectId), await countFromTickets(projectId))
    await pool.query('delete from tickets where project_id = $1', [projectId])
    assert.deepEqual(await storedCounters(projectId), [])
  })

  test('deleting a project deletes its tickets and all counters', async () => {
    const projectId = await newProject()
    const tickets = `/projects/${projectId}/tickets`
    const { id } = (await owner.call<{ id: string }>(`POST ${tickets}`, { title: 'Top', labels: ['x'] })).data
    await owner.call(`POST ${tickets}`, { title: 'Below', parent: id })
    await app.platform.db.deleteFrom('projects').where('id', '=', projectId).execute()
    const { db } = app.platform
    for (const table of ['ticket_counts', 'label_counts'] as const)
      assert.deepEqual(
        await db.selectFrom(table).select('n').where('project_id', '=', projectId).execute(),
        [],
      )
    assert.deepEqual(
      await db.selectFrom('ticket_rollups').selectAll().where('ticket_id', '=', id).execute(),
      [],
    )
  })

  test('the nightly recount repairs wrong counters, does not change correct ones, and logs the repair', async () => {
    const projectId = await newProject()
    const tickets = `/projects/${projectId}/tickets`
    const { id } = (await owner.call<{ id: string }>(`POST ${tickets}`, { title: 'Top', labels: ['x'] })).data
    await owner.call(`POST ${tickets}`, { title: 'Below', parent: id, labels: ['x', 'y'] })
    const { db } = app.platform
    await db.updateTable('ticket_counts').set({ n: 7 }).where('project_id', '=', projectId).execute()
    await db.updateTable('label_counts').set({ n: 0 }).where('project_id', '=', projectId).execute()
    await db.deleteFrom('ticket_rollups').where('ticket_id', '=', id).execute()
    const said: unknown[] = []
    const log = Object.assign(Object.create(app.platform.log) as typeof app.platform.log, {
      error: (line: unknown) => said.push(line),
    })
    await recountTickets.run({ ...app.platform, log }, new AbortController().signal)
    assert.deepEqual(await storedCounters(projectId), await countFromTickets(projectId))
    assert.equal(said.length, 1)
    assert.ok(
      await recountTickets.run({ ...app.platform, log }, new AbortController().signal).then(() => true),
    )
    assert.equal(said.length, 1, 'nothing is wrong any more')
  })

  test('the ten thousand most used labels of a project are listed, and a search finds a ticket by any other label', async () => {
    const projectId = await newProject()
    const ticket = { title: 'Rare', labels: ['~rare'] }
    const { data: made } = await owner.call<{ id: string }>(`POST /projects/${projectId}/tickets`, ticket)
    await app.platform.pool.query(
      `insert into label_counts (project_id, label, n) select $1, 'label ' || n, 1 from generate_series(1, 10500) n`,
      [projectId],
    )
    const common = { title: 'Common', labels: ['~common'] }
    for (let i = 0; i < 2; i++) await owner.call(`POST /projects/${projectId}/tickets`, common)
    const listed = await owner.call<unknown[]>(`GET /projects/${projectId}/tickets/labels`)
    assert.equal(listed.data.length, 10_000)
    assert.deepEqual(listed.data[0], { label: '~common', count: 2 })
    const found = await owner.call<{ items: { id: string }[] }>(
      `GET /projects/${projectId}/tickets/search?label=~rare`,
    )
    assert.deepEqual(
      found.data.items.map(({ id }) => id),
      [made.id],
    )
  })
})

class Tally {
  readonly #sums = new Map<string, number>()
  add(name: string, n: number): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0) + n)
  }
  entries(): [string, number][] {
    return [...this.#sums].filter(([, n]) => n !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
  }
}
