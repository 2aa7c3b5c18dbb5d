import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { Pool } from 'pg'
import { request } from 'undici'

/**
 * The baseline of the webhook delivery benchmark, the least work for an event: store it, post it with a signature, and store that it
 * arrived. It has no retries, no row locks that let several processes share the work, and no checks of addresses. `POST /run?events=<n>`
 * does this for n events, sixteen at a time, and distributes them evenly over ENDPOINTS addresses.
 */
const { DATABASE_URL, PORT, RECEIVER, ENDPOINTS, BODY = '' } = process.env
const pool = new Pool({ connectionString: DATABASE_URL, max: 10 })
await pool.query(
  'create table loop_events (id bigint generated always as identity primary key, body text, delivered_at timestamptz)',
)

async function deliverEvent(n: number): Promise<void> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'store',
    text: 'insert into loop_events (body) values ($1) returning id',
    values: [BODY],
  })
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', 'whsec_loop').update(`${t}.${BODY}`).digest('hex')
  const response = await request(`${RECEIVER}/${n % Number(ENDPOINTS)}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'service-signature': `t=${t},v1=${v1}`,
      'service-delivery-id': rows[0]?.id ?? '',
    },
    body: BODY,
  })
  await response.body.dump()
  if (response.statusCode !== 204) throw new Error(`the receiver answered ${response.statusCode}`)
  const text = 'update loop_events set delivered_at = now() where id = $1'
  await pool.query({ name: 'done', text, values: [rows[0]?.id] })
}

createServer(async (req, res) => {
  const url = new URL(req.url ?? '', 'http://loop')
  let next = 0
  const events = Number(url.searchParams.get('events') ?? 0)
  const work = async () => {
    while (next < events) await deliverEvent(next++)
  }
  await Promise.all(Array.from({ length: 16 }, work))
  res.end('{}')
}).listen(Number(PORT), '127.0.0.1')
