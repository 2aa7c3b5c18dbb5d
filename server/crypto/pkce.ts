import { createHash, randomBytes } from 'node:crypto'

/** Returns a verifier (RFC 7636): it stays in the service, its challenge goes with the browser. */
export const newVerifier = (): string => randomBytes(32).toString('base64url')

/** Returns the challenge of a verifier, by SHA-256. */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')
