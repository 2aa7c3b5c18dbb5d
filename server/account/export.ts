import { to as copyTo } from 'pg-copy-streams'
import { EXPORTED_ACTIVITY } from '../activity/activity.ts'
import { EXPORTED_INVITATIONS, EXPORTED_MEMBERS, EXPORTED_ORGANIZATION } from '../auth/exported.ts'
import { EXPORTED_ACCOUNTS, EXPORTED_MODELS } from '../connections/connections.ts'
import { readSnapshot } from '../db/read-cursor.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import { recordCallerChange } from '../activity/log.ts'
import { EXPORTED_HELP_MESSAGES, EXPORTED_HELP_THREADS } from '../help/help.ts'
import { EXPORTED_SOURCES } from '../ingest/sources.ts'
import { EXPORTED_KEYS } from '../keys/keys.ts'
import type { ExportedTable } from '../lib/exported.ts'
import { EXPORTED_PROJECTS } from '../projects/projects.ts'
import { EXPORTED_TICKETS } from '../tickets/ticket.ts'
import { EXPORTED_WEBHOOKS } from '../webhooks/webhooks.ts'
import { copyStatement, LineWriter } from './lines.ts'

/** Increase the number at the end with every format change that readers must know about. */
const EXPORT_FORMAT = 'slipway-account-export/1'

/** The kinds of lines between the header and the end, in the order that the endpoint's description promises. */
const EXPORTED_TABLES: Readonly<Record<string, readonly ExportedTable[]>> = {
  organization: [EXPORTED_ORGANIZATION],
  member: [EXPORTED_MEMBERS],
  invitation: [EXPORTED_INVITATIONS],
  connection: [EXPORTED_ACCOUNTS, EXPORTED_MODELS],
  api_key: [EXPORTED_KEYS],
  webhook: [EXPORTED_WEBHOOKS],
  ingest_source: [EXPORTED_SOURCES],
  project: [EXPORTED_PROJECTS],
  ticket: [EXPORTED_TICKETS],
  help_thread: [EXPORTED_HELP_THREADS],
  help_message: [EXPORTED_HELP_MESSAGES],
  activity: [EXPORTED_ACTIVITY],
}

/**
 * Yields everything of the caller's organization as lines of JSON, from one snapshot, as fast as the consumer reads
 * them. The last line has the counts; a file without that line is incomplete.
 */
export async function* exportAccount(ctx: Context<'streamPool'>): AsyncGenerator<string> {
  const { organizationId, organizationName, userId, userName, email } = ctx.caller
  const header = {
    kind: 'export',
    format: EXPORT_FORMAT,
    exportedAt: ctx.clock.now().toISOString(),
    requestedBy: { id: userId, name: userName, email },
    organization: { id: organizationId, name: organizationName },
  }
  const counts = Object.fromEntries(Object.keys(EXPORTED_TABLES).map((kind) => [kind, 0]))
  // The header is sent only after the connection is open: a database that cannot be reached then causes an
  // error response, not half a file.
  yield* readSnapshot(ctx.streamPool, async function* (client) {
    yield `${JSON.stringify(header)}\n`
    for (const [kind, sources] of Object.entries(EXPORTED_TABLES))
      for (const source of sources) {
        const lines = new LineWriter(kind, source)
        const copied = client.query(copyTo(copyStatement(source, organizationId)))
        for await (const bytes of joinChunks(copied, EXPORT_CHUNK_BYTES)) yield lines.write(bytes)
        counts[kind] = (counts[kind] ?? 0) + lines.rows
      }
    yield `${JSON.stringify({ kind: 'end', counts })}\n`
  })
}

/** Postgres sends 8 kB at a time. Larger pieces are cheaper, because each piece that is passed on to the client has a fixed cost. */
const EXPORT_CHUNK_BYTES = 32 * 1024

/** Joins chunks into pieces of at least `size` bytes; the last piece may be smaller. */
async function* joinChunks(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let [gathered, length]: [Buffer[], number] = [[], 0]
  for await (const chunk of chunks) {
    gathered.push(chunk)
    length += chunk.length
    if (length < size) continue
    yield Buffer.concat(gathered, length)
    ;[gathered, length] = [[], 0]
  }
  if (length > 0) yield Buffer.concat(gathered, length)
}

/** Records the export in the activity log. The record is committed before the first line is sent, so the export contains it. */
export function recordExport(ctx: CallerContext<'db' | 'clock'>): Promise<void> {
  return recordCallerChange(ctx, ctx.db, { action: 'account.exported', target: ctx.caller.organizationName })
}
