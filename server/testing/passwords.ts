import { createHash, randomBytes } from 'node:crypto'
import type { Passwords } from '../auth/options.ts'

const hashPassword = (salt: string, password: string): string =>
  `${salt}:${createHash('sha256').update(`${salt}${password}`).digest('hex')}`

/**
 * Salted hashes that take almost no time. The service's own take 70 ms of CPU time each, and tests sign up
 * hundreds of people. A test of `auth` checks the service's own hash.
 */
export const quickPasswords: Passwords = {
  hash: async (password) => hashPassword(randomBytes(16).toString('hex'), password),
  verify: async ({ hash, password }) => hash === hashPassword(hash.split(':')[0] ?? '', password),
}
