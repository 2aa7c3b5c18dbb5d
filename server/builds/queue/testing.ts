import type { RunRow } from '../../db/tables/runs.ts'
import type { TicketsTable } from '../../db/tables/tickets.ts'
import type { Context } from '../../endpoint.ts'
import { silentLog, testDatabase } from '../../testing/database.ts'
import { queueBuilds, readQueue, removeFromQueue } from './queue.ts'

export const AT = new Date('2026-06-01T12:00:00.000Z')

interface TestTicketFields {
  projectId?: string
  orgId?: string
  type?: TicketsTable['type']
  status?: TicketsTable['status']
  dependsOn?: string[]
  refusal?: TicketsTable['queue_refusal']
}

/**
 * Opens a database with two organizations and their models, and returns functions that call the queue's code
 * without HTTP.
 */
export async function openQueueWorld() {
  const database = await testDatabase()
  const run = (statement: string, ...values: unknown[]) => database.pool.query(statement, values)

  const addProject = (id: string, orgId = 'org_a', lifecycle = 'offline') =>
    run(
      `insert into projects (id, org_id, name, name_fold, slug, lifecycle, updated_at, created_at)
       values ($1, $2, $1, $1, $1, $4, $3, $3)`,
      id,
      orgId,
      AT,
      lifecycle,
    )

  const addTicket = (
    id: string,
    {
      projectId = 'p1',
      orgId = 'org_a',
      type = 'task',
      status = 'todo',
      dependsOn = [],
      refusal = null,
    }: TestTicketFields = {},
  ) =>
    run(
      `insert into tickets (id, org_id, project_id, title, body, status, type, priority, labels, source,
         depends_on, queue_refusal, updated_at, created_at)
       values ($1, $2, $3, 'Title of ' || $1, '', $4, $5, 'none', '{}', 'human', $6, $7, $8, $8)`,
      id,
      orgId,
      projectId,
      status,
      type,
      dependsOn,
      refusal,
      AT,
    )
  const addTickets = async (...ids: string[]) => {
    for (const id of ids) await addTicket(id)
  }

  let runCount = 0
  /** Adds a run that is newer than those before it, and returns its id. */
  const addRun = async (ticketId: string, status: RunRow['status']): Promise<string> => {
    const id = `run_${++runCount}`
    await run(
      `insert into runs (id, org_id, project_id, ticket_id, attempt, status, stage, trigger, scopes, lease,
         provider, model, limits, input, files, checks, usage, last_seq, created_at, deaths)
       values ($1, 'org_a', 'p1', $2, 1, $3, 'model', 'api', '{}', 0,
         'scaffold', 'm', '{}', '{"prepared":null,"previewErrors":[]}', '[]', '[]', '{}', 0, $4, 0)`,
      id,
      ticketId,
      status,
      new Date(AT.getTime() + runCount),
    )
    return id
  }

  const addMessage = (id: string, role: 'user' | 'agent', text: string, tickets: string[] = []) =>
    run(
      `insert into plan_messages (id, org_id, project_id, role, status, text, attachments, tickets, lease,
         read_outside, created_at)
       values ($1, 'org_a', 'p1', $2, 'complete', $3, '[]', $4, 0, false, $5)`,
      id,
      role,
      text,
      tickets,
      AT,
    )

  const contextOf = (change: Partial<Context['caller']> = {}): Context => ({
    db: database.db,
    log: silentLog,
    clock: { now: () => AT },
    requestId: 'req_1',
    address: '127.0.0.1',
    signal: new AbortController().signal,
    caller: {
      kind: 'session',
      organizationId: 'org_a',
      organizationName: 'A',
      plan: 'free',
      suspendedAt: null,
      actorId: 'usr_1',
      userId: 'usr_1',
      userName: 'Ada',
      email: 'ada@acme.test',
      role: 'owner',
      scopes: new Set(['build:write']),
      ...change,
    },
  })

  const read = (projectId = 'p1', ctx = contextOf()) => readQueue(ctx, projectId)

  /** Deletes everything but organizations and models. Adds two projects of the first organization and one of the second. */
  const clear = async () => {
    for (const table of ['runs', 'plan_messages', 'projects']) await run(`delete from ${table}`)
    await addProject('p1')
    await addProject('p2')
    await addProject('foreign', 'org_b')
  }

  for (const org of ['org_a', 'org_b']) {
    await run(`insert into organization (id, name, slug, "createdAt") values ($1, $1, $1, $2)`, org, AT)
    await run(
      `insert into model_connections (id, org_id, provider, label, models, default_model, is_default, created_at)
       values ($1, $2, 'scaffold', 'S', '{m}', 'm', true, $3)`,
      `mod_${org}`,
      org,
      AT,
    )
  }
  return {
    database,
    run,
    clear,
    addProject,
    addTicket,
    addTickets,
    addRun,
    addMessage,
    contextOf,
    queue: (ids: string[], { projectId = 'p1', ctx = contextOf() } = {}) => queueBuilds(ctx, projectId, ids),
    read,
    remove: (ticketId: string, projectId = 'p1', ctx = contextOf()) =>
      removeFromQueue(ctx, { projectId, ticketId }),
    idsIn: async (projectId = 'p1') => (await read(projectId)).queued.map(({ ticketId }) => ticketId),
    /** Waits until a transaction waits for a lock. */
    untilBlocked: async () => {
      const blocked = `select from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and not l.granted`
      for (const end = performance.now() + 20_000; (await run(blocked)).rowCount === 0;)
        if (performance.now() > end) throw new Error('No transaction waits for a lock.')
    },
  }
}
export type QueueWorld = Awaited<ReturnType<typeof openQueueWorld>>
