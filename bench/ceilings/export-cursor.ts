import { createServer } from 'node:http'
import { Pool } from 'pg'
import Cursor from 'pg-cursor'

/**
 * The baseline of the export benchmark, the minimum cost of reading the activity log: the rows of one organization in the order of the
 * export, 2,000 at a time, discarded. `GET /read` returns the number of rows and the duration; `GET /read?account` reads the columns of the
 * account export.
 */
const { DATABASE_URL, PORT } = process.env
const pool = new Pool({ connectionString: DATABASE_URL, max: 1 })

const ACTIVITY_COLUMNS = 'at, provider, actor, action, target, status, project_name, detail'

async function readAll(columns: string): Promise<{ rows: number; ms: number }> {
  const began = performance.now()
  const client = await pool.connect()
  await client.query('begin isolation level repeatable read read only')
  const cursor = client.query(
    new Cursor<object>(
      `select ${columns} from activity
       where org_id = 'org_1' order by at desc, id desc`,
    ),
  )
  let rows = 0
  for (let batch = await cursor.read(2000); batch.length > 0; batch = await cursor.read(2000))
    rows += batch.length
  await cursor.close()
  await client.query('commit')
  client.release()
  return { rows, ms: performance.now() - began }
}

createServer((request, response) => {
  if (request.url === '/health') return void response.end('ok')
  const columns = request.url === '/read?account' ? `id, ${ACTIVITY_COLUMNS}, project_id` : ACTIVITY_COLUMNS
  void readAll(columns).then((read) => response.end(JSON.stringify(read)))
}).listen(Number(PORT))
