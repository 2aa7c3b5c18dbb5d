import { createHash } from 'node:crypto'
import { newSecret, sha256 } from '../world/ids.ts'
import type { Store } from '../world/store.ts'

/** A token of an OAuth app. It has no expiry. */
export interface GithubToken {
  userId: number
  clientId: string
  scopes: string[]
}

const CODE_LIFE_MS = 10 * 60_000

/** What the user agreed to. The code can be exchanged by the same client only, with the same redirect URI if the request names one. */
export interface GithubAuthorization extends GithubToken {
  redirectUri: string
  /** PKCE challenge (S256); null for a client that does not use it. */
  challenge: string | null
}

interface TokenRow {
  user_id: number
  client_id: string
  scopes: JsonText<string[]>
}

interface CodeRow extends TokenRow {
  redirect_uri: string
  challenge: string | null
  expires_at: number
}

/** Returns an authorization code, which can be exchanged once. */
export function issueGithubCode(store: Store, authorization: GithubAuthorization, at: number): string {
  const code = newSecret('')
  store.run(
    `INSERT INTO github_codes (hash, user_id, client_id, redirect_uri, scopes, challenge, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    sha256(code),
    authorization.userId,
    authorization.clientId,
    authorization.redirectUri,
    JSON.stringify(authorization.scopes) satisfies CodeRow['scopes'],
    authorization.challenge,
    at + CODE_LIFE_MS,
  )
  return code
}

/** A token, or the provider's code for why the exchange was refused. */
export type RedeemedCode =
  | { secret: string; scopes: string[] }
  | { error: 'bad_verification_code' | 'redirect_uri_mismatch' }

/** Exchanges a code for a token, which is valid until it is revoked. A code works once. */
export function redeemGithubCode(
  store: Store,
  request: { code: string; clientId: string; redirectUri: string; verifier: string; at: number },
): RedeemedCode {
  return store.transact(() => {
    const row = store.get<CodeRow>('SELECT * FROM github_codes WHERE hash = ?', sha256(request.code))
    if (row === undefined) return { error: 'bad_verification_code' }
    store.run('DELETE FROM github_codes WHERE hash = ?', sha256(request.code))
    if (row.expires_at < request.at || row.client_id !== request.clientId)
      return { error: 'bad_verification_code' }
    if (request.redirectUri !== '' && request.redirectUri !== row.redirect_uri)
      return { error: 'redirect_uri_mismatch' }
    const challenge = createHash('sha256').update(request.verifier).digest('base64url')
    if (row.challenge !== null && row.challenge !== challenge) return { error: 'bad_verification_code' }
    const secret = newSecret('gho_')
    store.run(
      'INSERT INTO github_tokens (hash, user_id, client_id, scopes, created_at) VALUES (?, ?, ?, ?, ?)',
      sha256(secret),
      row.user_id,
      request.clientId,
      row.scopes,
      request.at,
    )
    return { secret, scopes: JSON.parse(row.scopes) }
  })
}

export function findToken(store: Store, secret: string): GithubToken | null {
  const row = store.get<TokenRow>('SELECT * FROM github_tokens WHERE hash = ?', sha256(secret))
  if (row === undefined) return null
  return {
    userId: row.user_id,
    clientId: row.client_id,
    scopes: JSON.parse(row.scopes),
  }
}

/** Deletes a token. Returns false when the client has no such token. */
export function deleteToken(store: Store, secret: string, clientId: string): boolean {
  const sql = 'DELETE FROM github_tokens WHERE hash = ? AND client_id = ?'
  return store.run(sql, sha256(secret), clientId) > 0
}
