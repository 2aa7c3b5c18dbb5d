import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import type { Resource } from '../../store/resources.ts'
import { splitStatements } from './sql-statements.ts'
import type { ApiEnv } from '../../rest/context.ts'
import { respond } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { readBody } from '../../rest/read-body.ts'
import type { StorageCloud } from '../storage/change.ts'

const Query = z.object({ sql: z.string(), params: z.array(z.unknown()).default([]) })
const Input = z.union([Query, z.object({ batch: z.array(Query).min(1) })])
const Refused = z.object({ message: z.string() })
const Sized = z.tuple([
  z.object({
    results: z.tuple([z.object({ tables: z.number() })]),
    meta: z.object({ size_after: z.number() }),
  }),
])

interface SqlStatement {
  sql: string
  params: unknown[]
}

/** Routes that run SQL. Each statement has its own result. The statements of a call run in one transaction. */
export function queryRoutes(cloud: StorageCloud, find: (c: Context<ApiEnv>) => Resource): Hono<ApiEnv> {
  const runStatements = async (c: Context<ApiEnv>, what: 'query' | 'raw') => {
    const statements = toStatements(await readBody(c, Input))
    return respond(c, await queryDatabase(cloud, find(c), what, statements))
  }
  return new Hono<ApiEnv>()
    .post('/query', (c) => runStatements(c, 'query'))
    .post('/raw', (c) => runStatements(c, 'raw'))
}

function toStatements(input: z.output<typeof Input>): SqlStatement[] {
  const queries = 'batch' in input ? input.batch : [input]
  return queries.flatMap(({ sql, params }) => {
    const statements = splitStatements(sql)
    if (statements.length === 0) throw new ApiFailure(400, 7500, 'No SQL statements detected.')
    if (statements.length > 1 && params.length > 0)
      throw new ApiFailure(400, 7400, 'Parameters go with one statement; send several as a batch.')
    return statements.map((statement) => ({ sql: statement, params }))
  })
}

/**
 * Sends statements to the data worker of a database (`data-module.ts`). Throws an `ApiFailure` with the database's error message.
 */
export async function queryDatabase(
  cloud: StorageCloud,
  database: Resource,
  what: 'query' | 'raw' | 'dump',
  body: unknown[],
): Promise<unknown> {
  const found = await cloud.data.request(
    database,
    { do: what },
    { method: 'POST', body: JSON.stringify(body) },
  )
  if (found.status === 200) return found.json()
  const { message } = Refused.parse(await found.json())
  throw new ApiFailure(400, 7500, message.replace(/^D1_(?:EXEC_)?ERROR: /, ''))
}

/**
 * Returns the size and the number of tables of a database. Both are 0 for a database that was never used. Such a database is not opened,
 * because opening would create its file.
 */
export async function readSize(
  cloud: StorageCloud,
  database: Resource,
): Promise<{ file_size: number; num_tables: number }> {
  if (!cloud.data.isStored(database)) return { file_size: 0, num_tables: 0 }
  const sql = `SELECT count(*) AS tables FROM sqlite_master
    WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT LIKE '!_cf!_%' ESCAPE '!'`
  const [{ results, meta }] = Sized.parse(
    await queryDatabase(cloud, database, 'query', [{ sql, params: [] } satisfies SqlStatement]),
  )
  return { file_size: meta.size_after, num_tables: results[0].tables }
}
