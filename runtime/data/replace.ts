import type { CollectionSpec } from '../kernel/manifest.ts'
import { invalid } from '../kernel/errors.ts'

/**
 * Returns the change that makes the stored record equal to a whole record: fields it does not name get their
 * default. A row that was read may be sent back unchanged, so its system fields and partition are ignored;
 * `rev` guards it.
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
