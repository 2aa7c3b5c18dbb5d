export class AdminError extends Error {
  override readonly name = 'AdminError'
}
