import type { CollectionSpec } from '../kernel/manifest.ts'
import { invalid } from '../kernel/errors.ts'

/**
 * Converts a whole record to a change: fields that the record leaves out get their default. System fields and the partition are ignored, so
 * that a record may be sent back as it was read; `rev` guards against overwriting a newer revision.
 */
export function toFields(
  { fields }: CollectionSpec,
  record: Record<string, unknown>,
): { fields: Record<string, unknown>; rev: number | undefined } {
  const { rev, partition: _partition, ...given } = record
  if (rev !== undefined && !Number.isSafeInteger(rev)) throw invalid('rev', 'must be a whole number')
  const empty = Object.entries(fields).map(([name, spec]) => [name, spec.default ?? null])
  return { fields: { ...Object.fromEntries(empty), ...given }, rev: rev as number | undefined }
}
