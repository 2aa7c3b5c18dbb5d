import { createHmac, timingSafeEqual } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { Pool } from 'pg'

/**
 * The baseline of the ingest benchmark, the least code that accepts a signed idea: one secret from the
 * environment, the signature over the raw bytes, one insert. No look-up of the ingest source, no limits, no
 * parsing beyond title and text.
 */
const { DATABASE_URL, PORT, SECRET = '' } = process.env
const pool = new Pool({ connectionString: DATABASE_URL, max: 10 })
const app = new Hono()

app.get('/health', (c) => c.json({ ok: true }))
app.post('/i/:id', async (c) => {
  const body = Buffer.from(await c.req.arrayBuffer())
  const [t = '', v1 = ''] = (c.req.header('service-signature') ?? '').split(',')
  const mac = createHmac('sha256', SECRET)
    .update(`${t.slice(2)}.`)
    .update(body)
    .digest()
  if (!timingSafeEqual(mac, Buffer.from(v1.slice(3), 'hex'))) return c.body(null, 401)
  const { title, text } = JSON.parse(body.toString()) as { title: string; text: string }
  await pool.query({
    name: 'idea',
    text: `insert into ideas (ticket_id, org_id, project_id, source_id, title, body, state, attempt, next_at,
        created_at)
      select 'tkt_' || gen_random_uuid(), org_id, project_id, id, $2, $3, 'queued', 0, now(), now()
      from ingest_sources where id = $1`,
    values: [c.req.param('id'), title, text],
  })
  return c.body(null, 202)
})
serve({ fetch: app.fetch, port: Number(PORT) })
