import type { CollectionSpec } from '../kernel/manifest.ts'
import { invalid } from '../kernel/errors.ts'

/**
 * A whole record as the change that makes the stored one equal to it: what is not named gets its default. A row that
 * was read is taken back as it came, so its system fields and its partition are passed over; `rev` guards it.
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
