/**
 * Returns a new record id. A page creates the ids of its new records, so that a row keeps its id when the server confirms it, and other new
 * records can refer to it before that.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
