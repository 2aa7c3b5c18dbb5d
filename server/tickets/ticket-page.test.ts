import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test, type TestContext } from 'node:test'
import { type Client, testApp, type TestApp } from '../testing/app.ts'
import { leaves } from '../testing/effects.ts'

interface ListedTicket {
  id: string
  build: { state: string; runId: string | null; outcome: string | null; refused: string | null }
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  Plans?: PlanNode[]
}

describe('a page of tickets', () => {
  let app: TestApp
  let owner: Client
  let tickets: string
  let projectId: string
  before(async () => {
    app = await testApp()
  })
  beforeEach(async () => {
    owner = await app.signUp()
    const project = await owner.call<{ id: string }>('POST /projects', { name: 'Pages' })
    app.effects.prepared({ events: { 'project.created': 1 } })
    projectId = project.data.id
    tickets = `/projects/${projectId}/tickets`
  })
  after(() => app.close())

  const insertRuns = (condition: string, status: string) =>
    app.platform.pool.query(
      `insert into runs (id, org_id, project_id, ticket_id, attempt, status, outcome, stage, trigger, scopes, lease, deaths,
         provider, model, limits, input, files, checks, usage, last_seq, created_at)
       select 'run_' || right(id, 26), org_id, project_id, id, 1, $2, null, 'model', 'api', '{}', 1, 0, 'scaffold', 'm', '{}',
         '{}', '[]', '[]', '{}', 0, now()
       from tickets where project_id = $1 and ${condition}`,
      [projectId, status],
    )
  const enqueue = (ticketId: string, position: number) =>
    app.platform.pool.query(
      `insert into build_queue (org_id, project_id, ticket_id, position, scopes, created_at)
       select org_id, project_id, id, $2, '{}', now() from tickets where id = $1`,
      [ticketId, position],
    )

  test('the ticket list, tree and search return whether each ticket is built, waits in the queue, or was refused', async () => {
    leaves({ events: { 'ticket.created': 5 } })
    const ids: string[] = []
    for (const title of ['Idle', 'Built', 'Waiting', 'Built and waiting', 'Refused']) {
      app.clock.advance(1)
      ids.push((await owner.call<ListedTicket>(`POST ${tickets}`, { title })).data.id)
    }
    const [idle = '', built = '', waiting = '', both = '', refused = ''] = ids
    await insertRuns(`id in ('${built}', '${both}')`, 'succeeded')
    await enqueue(waiting, 1)
    await enqueue(both, 2)
    await app.platform.pool.query(`update tickets set queue_refusal = 'attachments' where id = $1`, [refused])
    const runId = (ticketId: string) => `run_${ticketId.slice(-26)}`
    const stored = { runId: null, outcome: null, refused: null }
    const expected = {
      [idle]: { ...stored, state: 'idle' },
      [built]: { ...stored, state: 'idle', runId: runId(built) },
      [waiting]: { ...stored, state: 'queued' },
      [both]: { ...stored, state: 'queued', runId: runId(both) },
      [refused]: { ...stored, state: 'idle', refused: 'attachments' },
    }
    const list = await owner.call<ListedTicket[]>(`GET ${tickets}`)
    const pages = [list.data]
    for (const path of ['tree', 'search', 'search?q=i'])
      pages.push((await owner.call<{ items: ListedTicket[] }>(`GET ${tickets}/${path}`)).data.items)
    for (const page of pages)
      for (const { id, build } of page) assert.deepEqual({ [id]: build }, { [id]: expected[id] })
    assert.deepEqual(
      pages.map((page) => page.length),
      [5, 5, 5, 4],
    )
  })

  test('a page of tickets reads the runs of its own tickets only, however many runs the installation has', async (t) => {
    leaves({ events: {} })
    await app.platform.pool.query(
      `insert into tickets (id, org_id, project_id, title, body, status, type, priority, labels, source, created_at, updated_at,
         search_fold)
       select 'tkt_' || lpad(n::text, 26, '0'), $1, $2, 'Ticket', '', 'todo', 'task', 'none', '{}', 'human',
         now() + make_interval(secs => n), now(), 'ticket'
       from generate_series(1, 3000) n`,
      [owner.organizationId, projectId],
    )
    await insertRuns('true', 'succeeded')
    await app.platform.pool.query('analyze tickets, runs, build_queue')
    for (const path of ['?limit=100', '/tree', '/search?q=ticket']) {
      const nodes = await plannedNodes(t, path)
      const onRuns = nodes.filter((node) => node['Relation Name'] === 'runs').map((node) => node['Node Type'])
      assert.deepEqual(new Set(onRuns), new Set(['Index Scan']), path)
    }
  })

  /** Returns the nodes of the plans of all prepared statements that read runs for a request. */
  async function plannedNodes(t: TestContext, path: string): Promise<PlanNode[]> {
    const query = t.mock.method(app.platform.pool, 'query')
    assert.equal((await owner.call(`GET ${tickets}${path}`)).status, 200)
    const statements = query.mock.calls
      .map((call): unknown => call.arguments[0])
      .filter((config): config is { text: string; values: unknown[] } => isStatement(config))
      .filter(({ text }) => text.includes('from runs'))
    query.mock.restore()
    const plans = await Promise.all(
      statements.map(async ({ text, values }) => {
        const explain = { text: `explain (format json) ${text}`, values }
        const { rows } = await app.platform.pool.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain)
        return rows[0]?.['QUERY PLAN'].map(({ Plan }) => Plan) ?? []
      }),
    )
    return plans.flat().flatMap(withDescendants)
  }
})

const isStatement = (config: unknown): boolean =>
  typeof config === 'object' && config !== null && 'text' in config && 'values' in config

const withDescendants = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(withDescendants)]
