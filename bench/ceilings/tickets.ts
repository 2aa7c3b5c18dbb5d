import { createHash } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { Pool } from 'pg'

/**
 * The baseline of the benchmarks that read many tickets: one hand-written, prepared statement per request
 * over the same indexes, and the API key is looked up in a map by its SHA-256. `/scan` and the counts read
 * the rows without an index or a stored count.
 */
const { DATABASE_URL, PORT } = process.env
const pool = new Pool({ connectionString: DATABASE_URL, max: 10 })
const keys = await pool.query<{ key_hash: string; org_id: string }>('select key_hash, org_id from api_keys')
const orgOf = new Map(keys.rows.map((row) => [row.key_hash, row.org_id]))
const app = new Hono<{ Variables: { org: string } }>()

const SELECT_TICKETS = `select id, project_id as "projectId", title, body, status, type, priority, due_at as "dueAt",
  parent_id as parent, labels, origin, source, url, attachments, depends_on as "dependsOn", created_by as "createdBy", created_at as "createdAt",
  updated_at as "updatedAt" from tickets where org_id = $1 and project_id = $2`
const TICKET_STATEMENTS: Record<string, string> = {
  search: `${SELECT_TICKETS} and search_fold like '%' || $3 || '%' order by created_at desc, id desc limit 100`,
  // The expressions hide the columns from the planner, so that the planner cannot use an index.
  scan: `${SELECT_TICKETS.replace('project_id = $2', "project_id || '' = $2")} and search_fold || '' like '%' || $3 || '%'
    order by created_at desc, id || '' desc limit 100`,
  roots: `${SELECT_TICKETS} and parent_id is null and (created_at, id) > (to_timestamp($3::float8 / 1000), $4)
    order by created_at, id limit 100`,
  children: `${SELECT_TICKETS} and parent_id = $3 order by created_at, id limit 100`,
  stats: `select status, type, priority, count(*) from tickets where org_id = $1 and project_id = $2 group by 1, 2, 3`,
  labels: `select label, count(*) from tickets, unnest(labels) label where org_id = $1 and project_id = $2 group by 1`,
  rollups: `with recursive below as (
      select parent_id as top, id, status from tickets where org_id = $1 and project_id = $2 and parent_id = any($3)
      union all
      select b.top, t.id, t.status from below b join tickets t on t.parent_id = b.id)
    select top, status, count(*) from below group by 1, 2`,
}

app.get('/health', (c) => c.json({ ok: true }))
app.use(async (c, next) => {
  const key = (c.req.header('authorization') ?? '').slice('Bearer '.length)
  const org = orgOf.get(createHash('sha256').update(key).digest('hex'))
  if (org === undefined) return c.json({ ok: false }, 401)
  c.set('org', org)
  await next()
})
app.on(['GET', 'POST'], '/api/v1/projects/:project/tickets/:what', async (c) => {
  const what = c.req.param('what')
  const more = c.req.method === 'POST' ? [(await c.req.json<{ ids: string[] }>()).ids] : c.req.queries('with')
  const values = [c.get('org'), c.req.param('project'), ...(more ?? [])]
  const { rows } = await pool.query<Record<string, unknown>>({
    name: what,
    text: TICKET_STATEMENTS[what] ?? '',
    values,
  })
  return c.json({ ok: true, data: rows })
})
serve({ fetch: app.fetch, port: Number(PORT) })
