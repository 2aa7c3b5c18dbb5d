import { invalid } from '../kernel/errors.ts'

/** The limit of an input, a signal, and the result of a step. */
const JSON_BYTES_MAX = 1024 * 1024

/** Returns the value as it is stored: JSON of at most 1 MiB. Throws an `invalid_request` that names `field`. */
export function jsonStorableValue(value: unknown, field: string): unknown {
  let text: string | undefined
  try {
    text = JSON.stringify(value ?? null)
  } catch {
    // A value with a cycle or a bigint cannot be converted to JSON.
  }
  if (text === undefined) throw invalid(field, 'must be JSON')
  if (new TextEncoder().encode(text).length > JSON_BYTES_MAX) throw invalid(field, 'is larger than 1 MiB')
  return JSON.parse(text)
}
