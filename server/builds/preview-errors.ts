import * as z from 'zod'
import { type Db, type Trx, transact } from '../db/database.ts'
import { json } from '../db/json.ts'
import type { RunRow } from '../db/tables/runs.ts'
import type { CallerContext } from '../endpoint.ts'
import { invalid } from '../http/errors.ts'
import { loadProject } from '../projects/projects.ts'
import { loadTicket } from '../tickets/load-ticket.ts'

const KEPT_ERRORS_MAX = 50
const ERROR_BYTES_MAX = 4096

/**
 * A runtime error of the preview, as the console reports it. The text comes from app code, so a model must not follow
 * it as an instruction.
 */
export const PreviewError = z.object({
  message: z.string(),
  stack: z.string().optional(),
  source: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
  at: z.iso.datetime({ offset: true }).optional(),
})
export type PreviewError = z.output<typeof PreviewError>

export const PreviewErrorsBody = z.object({
  ticketId: z.string(),
  errors: z.array(PreviewError).max(KEPT_ERRORS_MAX),
})

/** Stores errors for the ticket's next build, keeping the newest; an empty list clears them. Returns how many are kept. */
export async function storePreviewErrors(
  ctx: CallerContext<'db' | 'clock'>,
  projectId: string,
  { ticketId, errors }: z.output<typeof PreviewErrorsBody>,
): Promise<{ stored: number }> {
  for (const [i, error] of errors.entries()) {
    if (Buffer.byteLength(JSON.stringify(error)) > ERROR_BYTES_MAX)
      throw invalid(`errors.${i}`, `is larger than ${ERROR_BYTES_MAX} bytes`)
  }
  await loadProject(ctx, projectId)
  const ticket = await loadTicket(ctx, projectId, ticketId)
  return transact(ctx.db, async (trx) => {
    if (errors.length === 0) {
      await trx.deleteFrom('preview_errors').where('ticket_id', '=', ticket.id).execute()
      return { stored: 0 }
    }
    const place = { ticketId: ticket.id, projectId }
    return { stored: await mergeErrors(trx, place, (stored) => [...stored, ...errors], ctx.clock.now()) }
  })
}

/** Stores the newest `KEPT_ERRORS_MAX` of the errors that `merge` returns for the stored ones. Returns how many are stored. */
async function mergeErrors(
  trx: Trx,
  { ticketId, projectId }: { ticketId: string; projectId: string },
  merge: (stored: PreviewError[]) => PreviewError[],
  at: Date,
): Promise<number> {
  // The upsert locks the row. Otherwise one of two consoles with the same preview could overwrite the errors that the other has stored.
  const row = await trx
    .insertInto('preview_errors')
    .values({ ticket_id: ticketId, project_id: projectId, errors: json([]), created_at: at })
    .onConflict((clash) => clash.column('ticket_id').doUpdateSet({ project_id: projectId }))
    .returning('errors')
    .executeTakeFirstOrThrow()
  const kept = merge(row.errors).slice(-KEPT_ERRORS_MAX)
  await trx
    .updateTable('preview_errors')
    .set({ errors: json(kept) })
    .where('ticket_id', '=', ticketId)
    .execute()
  return kept.length
}

/**
 * Stores the preview errors of a run again if the run ended before its model responded, so that the ticket's next build receives them. Call
 * it in the transaction that ends the run.
 */
export async function returnUnreadErrors(trx: Trx, run: RunRow, at: Date): Promise<void> {
  const { previewErrors } = run.input
  if (previewErrors.length === 0) return
  const { usage } = await trx
    .selectFrom('runs')
    .select('usage')
    .where('org_id', '=', run.org_id)
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow()
  if (usage.input > 0) return
  const place = { ticketId: run.ticket_id, projectId: run.project_id }
  await mergeErrors(trx, place, (stored) => [...previewErrors, ...stored], at)
}

/** Returns the errors that the preview reported since the ticket's last build, oldest first. */
export async function readPreviewErrors(db: Db, ticketId: string): Promise<PreviewError[]> {
  const row = await db
    .selectFrom('preview_errors')
    .select('errors')
    .where('ticket_id', '=', ticketId)
    .executeTakeFirst()
  return row?.errors ?? []
}

/**
 * Deletes and returns the preview errors of a ticket. Call it in the transaction that starts the receiving run, so that no error is lost
 * or reported twice.
 */
export async function consumePreviewErrors(trx: Trx, ticketId: string): Promise<PreviewError[]> {
  const row = await trx
    .deleteFrom('preview_errors')
    .where('ticket_id', '=', ticketId)
    .returning('errors')
    .executeTakeFirst()
  return row?.errors ?? []
}

const TEXT_CHARS_MAX = 12_000

/** Describes the errors for a model, newest first, and leaves out those that do not fit. */
export function describePreviewErrors(errors: PreviewError[]): string {
  const lines = ['The preview reported these errors, the newest first:']
  let chars = 0
  for (const error of errors.toReversed()) {
    const text = errorListItem(error)
    chars += text.length
    if (chars > TEXT_CHARS_MAX) break
    lines.push(text)
  }
  const left = errors.length - (lines.length - 1)
  return [...lines, ...(left > 0 ? [`and ${left} more`] : [])].join('\n')
}

function errorListItem({ message, stack, source, line, column, at }: PreviewError): string {
  const place =
    source === undefined ? '' : ` at ${[source, line, column].filter((v) => v !== undefined).join(':')}`
  const when = at === undefined ? '' : `[${at}] `
  return `- ${when}${message}${place}${stack === undefined ? '' : `\n${stack}`}`
}
