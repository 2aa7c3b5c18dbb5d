import { createHash, timingSafeEqual } from 'node:crypto'
import { hexId, newSecret, sha256 } from '../../../world/ids.ts'
import type { Store } from '../../../world/store.ts'
import { findToken, isTokenValid, issueToken, markUsed, revokeFamily } from '../tokens.ts'

/** A refused token request. `code` is an error code of RFC 6749, such as `invalid_grant`. */
export class GrantFailure extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The response to a token request (RFC 6749, 5.1). `expires_in` is in seconds. */
export interface TokenResponse {
  access_token: string
  refresh_token: string
  token_type: 'bearer'
  expires_in: number
  scope: string
}

const CODE_LIFE_MS = 10 * 60_000
const ACCESS_LIFE_MS = 60 * 60_000

/** What a person has granted. `challenge` is the PKCE challenge (RFC 7636), which the token request must match. */
export interface Authorization {
  accountId: string
  otherAccounts: readonly string[]
  clientId: string
  redirectUri: string
  scopes: string[]
  challenge: string
}

interface CodeRow {
  hash: string
  account_id: string
  other_accounts: JsonText<readonly string[]>
  client_id: string
  redirect_uri: string
  scopes: JsonText<string[]>
  challenge: string
  /** The id that all tokens of the grant share. Null until the code is redeemed. */
  family: string | null
  expires_at: number
}

/** Returns a code that can be exchanged for tokens within ten minutes. Only its hash is stored. */
export function issueCode(store: Store, authorization: Authorization, at: number): string {
  const code = newSecret('local_code_')
  store.run(
    `INSERT INTO authorization_codes
       (hash, account_id, other_accounts, client_id, redirect_uri, scopes, challenge, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    sha256(code),
    authorization.accountId,
    JSON.stringify(authorization.otherAccounts) satisfies CodeRow['other_accounts'],
    authorization.clientId,
    authorization.redirectUri,
    JSON.stringify(authorization.scopes) satisfies CodeRow['scopes'],
    authorization.challenge,
    at + CODE_LIFE_MS,
  )
  return code
}

/** Exchanges a code for tokens. A second use means that the code has leaked, so the tokens of the first use are revoked. */
export function redeemCode(
  store: Store,
  request: { code: string; clientId: string; redirectUri: string; verifier: string; at: number },
): TokenResponse {
  const row = store.get<CodeRow>('SELECT * FROM authorization_codes WHERE hash = ?', sha256(request.code))
  if (row === undefined) throw new GrantFailure('invalid_grant', 'unknown code')
  if (row.family !== null) {
    revokeFamily(store, row.family, request.at)
    throw new GrantFailure('invalid_grant', 'the code was used before')
  }
  if (row.expires_at < request.at) throw new GrantFailure('invalid_grant', 'the code has expired')
  if (row.client_id !== request.clientId)
    throw new GrantFailure('invalid_grant', 'the code is of another client')
  if (row.redirect_uri !== request.redirectUri)
    throw new GrantFailure('invalid_grant', 'redirect_uri differs')
  const challenge = createHash('sha256').update(request.verifier).digest('base64url')
  if (!isEqual(challenge, row.challenge)) throw new GrantFailure('invalid_grant', 'code_verifier is wrong')
  return store.transact(() => {
    const family = hexId()
    store.run('UPDATE authorization_codes SET family = ? WHERE hash = ?', family, row.hash)
    return issuePair(store, {
      accountId: row.account_id,
      otherAccounts: JSON.parse(row.other_accounts),
      clientId: request.clientId,
      family,
      scopes: JSON.parse(row.scopes),
      at: request.at,
    })
  })
}

/** Exchanges a refresh token for a new access and refresh token. Reuse of the old refresh token revokes all tokens of the grant. */
export function refresh(
  store: Store,
  request: { token: string; clientId: string; at: number },
): TokenResponse {
  const token = findToken(store, request.token)
  if (
    token === null ||
    token.kind !== 'refresh' ||
    !isTokenValid(token, request.at) ||
    token.clientId !== request.clientId
  ) {
    throw new GrantFailure('invalid_grant', 'the refresh token is not valid')
  }
  if (token.usedAt !== null) {
    revokeFamily(store, token.family, request.at)
    throw new GrantFailure('invalid_grant', 'the refresh token was used before')
  }
  const { accountId, accountIds, family, scopes } = token
  const { clientId, at } = request
  return store.transact(() => {
    markUsed(store, token, at)
    const otherAccounts = accountIds.slice(1)
    return issuePair(store, { accountId, otherAccounts, clientId, family, scopes, at })
  })
}

/** Revokes the whole grant of a token. An unknown token is not an error (RFC 7009). */
export function revoke(store: Store, secret: string, at: number): void {
  const token = findToken(store, secret)
  if (token !== null) revokeFamily(store, token.family, at)
}

function issuePair(
  store: Store,
  grant: Pick<Authorization, 'accountId' | 'otherAccounts' | 'clientId' | 'scopes'> & {
    family: string
    at: number
  },
): TokenResponse {
  const access = issueToken(store, { ...grant, kind: 'access', lifeMs: ACCESS_LIFE_MS })
  const refreshed = issueToken(store, { ...grant, kind: 'refresh' })
  return {
    access_token: access.secret,
    refresh_token: refreshed.secret,
    token_type: 'bearer',
    expires_in: ACCESS_LIFE_MS / 1000,
    scope: grant.scopes.join(' '),
  }
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
