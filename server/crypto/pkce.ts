import { createHash, randomBytes } from 'node:crypto'

/** Returns a PKCE verifier (RFC 7636). The browser gets only the challenge and not the verifier. */
export const newVerifier = (): string => randomBytes(32).toString('base64url')

/** Returns the PKCE challenge of a verifier by the method `S256` (RFC 7636, section 4.2). */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')
