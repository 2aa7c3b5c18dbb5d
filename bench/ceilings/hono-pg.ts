import { createHash } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { Pool } from 'pg'

/**
 * The baseline of the ticket benchmarks, with the least code: one prepared statement per request, and the API
 * key is looked up in a map by its SHA-256. No limits, no validation, no event, no request id.
 */
const { DATABASE_URL, PORT } = process.env
const pool = new Pool({ connectionString: DATABASE_URL, max: 10 })
const keys = await pool.query<{ key_hash: string; org_id: string }>('select key_hash, org_id from api_keys')
const orgOf = new Map(keys.rows.map((row) => [row.key_hash, row.org_id]))
const app = new Hono<{ Variables: { org: string } }>()

const TICKET_COLUMNS = `id, project_id as "projectId", title, body, status, type, priority, due_at as "dueAt",
  parent_id as parent, labels, origin, source, url, attachments, depends_on as "dependsOn", created_by as "createdBy", created_at as "createdAt",
  updated_at as "updatedAt"`

app.get('/health', (c) => c.json({ ok: true }))
app.use(async (c, next) => {
  const key = (c.req.header('authorization') ?? '').slice('Bearer '.length)
  const org = orgOf.get(createHash('sha256').update(key).digest('hex'))
  if (org === undefined) return c.json({ ok: false }, 401)
  c.set('org', org)
  await next()
})
app.get('/api/v1/projects/:project/tickets/:ticket', async (c) => {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'get',
    text: `select ${TICKET_COLUMNS} from tickets where org_id = $1 and project_id = $2 and id = $3`,
    values: [c.get('org'), c.req.param('project'), c.req.param('ticket')],
  })
  return rows.length === 0 ? c.notFound() : c.json({ ok: true, data: rows[0] })
})
app.get('/api/v1/projects/:project/tickets', async (c) => {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'list',
    text: `select ${TICKET_COLUMNS} from tickets where org_id = $1 and project_id = $2
      order by created_at desc, id desc limit $3`,
    values: [c.get('org'), c.req.param('project'), c.req.query('limit')],
  })
  return c.json({ ok: true, data: rows })
})
app.post('/api/v1/projects/:project/tickets', async (c) => {
  const { title, body } = await c.req.json<{ title: string; body: string }>()
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'create',
    text: `insert into tickets (id, org_id, project_id, title, body, status, type, priority, labels, source,
        created_at, updated_at, search_fold)
      values ('tkt_' || gen_random_uuid(), $1, $2, $3, $4, 'todo', 'task', 'none', '{}', 'human', now(), now(),
        lower($3 || ' ' || $4))
      returning ${TICKET_COLUMNS}`,
    values: [c.get('org'), c.req.param('project'), title, body],
  })
  return c.json({ ok: true, data: rows[0] })
})
serve({ fetch: app.fetch, port: Number(PORT) })
