/** The message is for the person at the terminal. */
export class AdminError extends Error {
  override readonly name = 'AdminError'
}
