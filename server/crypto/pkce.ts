import { createHash, randomBytes } from 'node:crypto'

/** Returns a verifier (RFC 7636): it stays in the service, its challenge goes with the browser. */
export const newVerifier = (): string => randomBytes(32).toString('base64url')

/** Uses the method `S256` (RFC 7636, section 4.2). */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')
