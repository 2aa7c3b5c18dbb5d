import { createHash, randomBytes } from 'node:crypto'
import type { Passwords } from '../auth/options.ts'

const hashPassword = (salt: string, password: string): string =>
  `${salt}:${createHash('sha256').update(`${salt}${password}`).digest('hex')}`

/**
 * Hashes passwords with a salt in almost no time. The service's own algorithm takes 70 ms of CPU time for each
 * password, and tests sign up hundreds of people. A test of `auth` covers that algorithm.
 */
export const quickPasswords: Passwords = {
  hash: async (password) => hashPassword(randomBytes(16).toString('hex'), password),
  verify: async ({ hash, password }) => hash === hashPassword(hash.split(':')[0] ?? '', password),
}
