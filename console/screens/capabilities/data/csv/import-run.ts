import { importRecords } from '../../../../api/project/capabilities.ts'
import { dataText } from '../text.en.ts'
import { type FieldSchema, fieldLabel } from '../record-fields.ts'
import { type BadRow, batchesOf, type ReadRow } from './csv-records.ts'

/**
 * A row with the id of its record. The id is fixed before the first request, so that a repeated import
 * creates no duplicates.
 */
export interface ImportRow extends ReadRow {
  id: string
}

export interface RefusedRow {
  line: number
  reason: string
}

export interface SentBatch {
  batch: ImportRow[]
  refused: (RefusedRow & { id: string })[]
}

export const withIds = (rows: ReadRow[]): ImportRow[] =>
  rows.map((row) => ({ ...row, id: crypto.randomUUID().replaceAll('-', '') }))

/**
 * Sends rows in batches and calls `onSent` with each result. Throws when it is aborted or when a request
 * fails.
 */
export async function sendRows(
  target: { projectId: string; collection: string },
  rows: readonly ImportRow[],
  options: { trial: boolean; signal: AbortSignal; onSent: (sent: SentBatch) => void },
): Promise<void> {
  for (const batch of batchesOf([...rows])) {
    options.signal.throwIfAborted()
    const records = batch.map(({ id, fields }) => ({ id, fields }))
    const results = await importRecords({ ...target, partition: 'app' }, { records, trial: options.trial })
    const problems = new Map(results.map(({ id, problem }) => [id, problem]))
    const refused = batch.flatMap(({ id, line }) => {
      const problem = problems.get(id)
      // Report a row as failed when the response does not mention it, because it may not be stored.
      return problem === null ? [] : [{ id, line, reason: problem?.message ?? dataText.failed }]
    })
    options.onSent({ batch, refused })
  }
}

/** Describes why a row is invalid. The sentence lists the valid choices of an enum. */
export const rowReason = ({ field, problem }: BadRow, fields: readonly FieldSchema[]): string => {
  const values = fields.find((one) => fieldLabel(one) === field)?.values
  const said = problem === 'cells' ? dataText.csv.cells : dataText.problems[problem]
  const reason = problem === 'choice' && values ? dataText.csv.choices(values.join(', ')) : said
  return field === null ? reason : `${field}: ${reason}`
}
