/** Returns a new record id. A client creates it itself, so that a new row keeps its id and other records can refer to it. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
