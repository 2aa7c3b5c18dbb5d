import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { newSecret } from '../../../world/ids.ts'
import type { Resource } from '../../store/resources.ts'
import { splitStatements } from './sql-statements.ts'
import type { ApiEnv } from '../../rest/context.ts'
import { queryDatabase } from './query.ts'
import { respond } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { readBody } from '../../rest/read-body.ts'
import type { Blobs } from '../../store/blobs.ts'
import type { StorageCloud } from '../storage/change.ts'

/** SQL files of imports and exports. Each has an unguessable address, like the provider's signed URLs. */

const Import = z.discriminatedUnion('action', [
  z.object({ action: z.literal('init'), etag: z.string() }),
  z.object({ action: z.literal('ingest'), etag: z.string(), filename: z.string() }),
  z.object({ action: z.literal('poll'), current_bookmark: z.string() }),
])
const Export = z.object({
  output_format: z.literal('polling'),
  dump_options: z
    .object({
      no_schema: z.boolean().default(false),
      no_data: z.boolean().default(false),
      tables: z.array(z.string()).default([]),
    })
    .prefault({}),
})
const Meta = z.looseObject({ rows_read: z.number(), rows_written: z.number(), duration: z.number() })
const Results = z.array(z.object({ meta: Meta }))
const Dump = z.tuple([z.array(z.string())])
const EMPTY_BOOKMARK = '00000000-00000000-00000000-00000000000000000000000000000000'
const FILES_PATH = '/d1-files/'

export interface TransferCloud extends StorageCloud {
  blobs: Blobs
}

export function transferRoutes(cloud: TransferCloud, find: (c: Context<ApiEnv>) => Resource): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .post('/import', async (c) => {
      const database = find(c)
      const input = await readBody(c, Import)
      if (input.action === 'init') {
        const filename = openTransfer(cloud, database, null)
        return respond(c, { success: true, upload_url: transferUrl(c, filename), filename, messages: [] })
      }
      // The request that starts an import returns only after the import, so a later poll never finds an import in progress.
      if (input.action === 'poll')
        return respond(c, { success: false, error: 'Not currently importing anything.' })
      const digest = findTransfer(cloud, input.filename, database.id)
      if (digest === null) throw new ApiFailure(400, 7400, 'The file was not uploaded.')
      return respond(c, await importDump(cloud, database, digest, input.etag))
    })
    .post('/export', async (c) => {
      const database = find(c)
      const { dump_options: options } = await readBody(c, Export)
      const params = [options.no_schema, options.no_data, ...options.tables]
      const [lines] = Dump.parse(await queryDatabase(cloud, database, 'dump', params))
      const digest = await cloud.blobs.write(database.accountId, Buffer.from(lines.join('\n')))
      const filename = openTransfer(cloud, database, digest)
      const result = { filename: `${database.name}.sql`, signed_url: transferUrl(c, filename) }
      return respond(c, {
        success: true,
        type: 'export',
        status: 'complete',
        at_bookmark: EMPTY_BOOKMARK,
        messages: [],
        result,
      })
    })
}

async function importDump(
  cloud: TransferCloud,
  database: Resource,
  digest: string,
  etag: string,
): Promise<object> {
  const bytes = await cloud.blobs.read(database.accountId, digest)
  if (md5Hex(bytes) !== etag) throw new ApiFailure(400, 7400, 'The etag is not that of the uploaded file.')
  const statements = splitStatements(new TextDecoder().decode(bytes))
  if (statements.length === 0) throw new ApiFailure(400, 7500, 'No SQL statements detected.')
  const results = Results.parse(
    await queryDatabase(
      cloud,
      database,
      'query',
      statements.map((sql) => ({ sql, params: [] })),
    ),
  )
  const sumMeta = (field: 'rows_read' | 'rows_written' | 'duration') =>
    results.reduce((total, { meta }) => total + meta[field], 0)
  const meta = {
    ...results.at(-1)?.meta,
    rows_read: sumMeta('rows_read'),
    rows_written: sumMeta('rows_written'),
    duration: sumMeta('duration'),
  }
  return {
    success: true,
    type: 'import',
    status: 'complete',
    at_bookmark: EMPTY_BOOKMARK,
    messages: [],
    result: { num_queries: statements.length, final_bookmark: EMPTY_BOOKMARK, meta },
  }
}

/** Routes without credentials: anyone who knows the unguessable address may use the file. */
export function transferFileRoutes(cloud: TransferCloud): Hono<ApiEnv> {
  const noSuchFile = () => new ApiFailure(404, 7404, 'There is no such file.')
  return new Hono<ApiEnv>()
    .put(`${FILES_PATH}:file`, async (c) => {
      const transfer = readTransfer(cloud, c.req.param('file'))
      if (transfer === null) throw noSuchFile()
      const bytes = new Uint8Array(await c.req.arrayBuffer())
      const digest = await cloud.blobs.write(transfer.accountId, bytes)
      cloud.store.run('UPDATE d1_transfers SET digest = ? WHERE id = ?', digest, c.req.param('file'))
      return c.body(null, 200, { etag: `"${md5Hex(bytes)}"` })
    })
    .get(`${FILES_PATH}:file`, async (c) => {
      const transfer = readTransfer(cloud, c.req.param('file'))
      if (transfer === null || transfer.digest === null) throw noSuchFile()
      return c.body(await cloud.blobs.read(transfer.accountId, transfer.digest), 200, {
        'content-type': 'application/sql',
      })
    })
}

function openTransfer(cloud: TransferCloud, database: Resource, digest: string | null): string {
  const id = newSecret('d1_')
  cloud.store.run(
    'INSERT INTO d1_transfers (id, database_id, digest, created_at) VALUES (?, ?, ?, ?)',
    id,
    database.id,
    digest,
    cloud.now(),
  )
  return id
}

function readTransfer(cloud: TransferCloud, id: string): { accountId: string; digest: string | null } | null {
  const row = cloud.store.get<{ account_id: string; digest: string | null }>(
    `SELECT account_id, digest FROM d1_transfers JOIN resources ON resources.id = database_id
     WHERE d1_transfers.id = ?`,
    id,
  )
  return row === undefined ? null : { accountId: row.account_id, digest: row.digest }
}

function findTransfer(cloud: TransferCloud, id: string, databaseId: string): string | null {
  const row = cloud.store.get<{ digest: string | null }>(
    'SELECT digest FROM d1_transfers WHERE id = ? AND database_id = ?',
    id,
    databaseId,
  )
  return row?.digest ?? null
}

/** Returns the address of a file on the host that the caller used. */
function transferUrl(c: Context<ApiEnv>, file: string): string {
  const { origin, pathname } = new URL(c.req.url)
  return `${origin}${pathname.slice(0, pathname.indexOf('/accounts/'))}${FILES_PATH}${file}`
}

function md5Hex(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex')
}
