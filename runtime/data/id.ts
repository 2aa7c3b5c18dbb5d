/**
 * Returns a new record id. A page creates the ids of its new records, so that a row keeps its id when the server confirms the row, and
 * other new records can refer to the row before.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
