import { createHash } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { Pool } from 'pg'

/**
 * The baseline of the authentication benchmark, the least code that identifies a caller by API key: SHA-256
 * and one prepared SELECT by an index. No checksum, no security policy, no expiry, no limits, no request id.
 */
const { DATABASE_URL, PORT } = process.env
const pool = new Pool({ connectionString: DATABASE_URL, max: 10 })
const app = new Hono()

app.on('GET', ['/health', '/livez'], (c) => c.json({ ok: true, data: { status: 'ok' } }))
app.get('/api/v1/me', async (c) => {
  const key = (c.req.header('authorization') ?? '').slice('Bearer '.length)
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'key',
    text: 'select id, org_id, created_by, scopes from api_keys where key_hash = $1',
    values: [createHash('sha256').update(key).digest('hex')],
  })
  return rows.length === 0 ? c.json({ ok: false }, 401) : c.json({ ok: true, data: rows[0] })
})
serve({ fetch: app.fetch, port: Number(PORT) })
