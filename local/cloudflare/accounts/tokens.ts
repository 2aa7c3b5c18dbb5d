import { hexId, newSecret, sha256 } from '../../world/ids.ts'
import type { Store } from '../../world/store.ts'

type TokenKind = 'api' | 'access' | 'refresh'

/** A stored API token or OAuth token, without its secret. Times are epoch milliseconds. */
export interface Token {
  id: string
  kind: TokenKind
  /** The tokens of one OAuth sign-in, which are revoked together. An API token is the only member of its family. */
  family: string
  /** The first id of `accountIds`. */
  accountId: string
  accountIds: string[]
  clientId: string | null
  /** A label chosen by a person, for API tokens only. */
  name: string | null
  scopes: string[]
  expiresAt: number | null
  usedAt: number | null
  revokedAt: number | null
}

export interface NewToken {
  kind: TokenKind
  accountId: string
  otherAccounts?: readonly string[]
  scopes: string[]
  at: number
  name?: string
  family?: string
  clientId?: string
  /** Without it, the token does not expire. */
  lifeMs?: number
  secret?: string
}

/** Returns the secret, which is stored only as a hash and cannot be read again. */
export function issueToken(store: Store, token: NewToken): { secret: string; id: string } {
  const secret = token.secret ?? newSecret(token.kind === 'api' ? 'local_' : `local_${token.kind}_`)
  const id = hexId()
  store.run(
    `INSERT INTO tokens
       (hash, id, kind, family, account_id, other_accounts, client_id, name, scopes, expires_at, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    sha256(secret),
    id,
    token.kind,
    token.family ?? id,
    token.accountId,
    JSON.stringify(token.otherAccounts ?? []) satisfies TokenRow['other_accounts'],
    token.clientId ?? null,
    token.name ?? null,
    JSON.stringify(token.scopes) satisfies TokenRow['scopes'],
    token.lifeMs === undefined ? null : token.at + token.lifeMs,
    token.at,
  )
  return { secret, id }
}

/** Returns the token with this secret, even when it is expired or revoked, so the caller must check for both. */
export function findToken(store: Store, secret: string): Token | null {
  const row = store.get<TokenRow>('SELECT * FROM tokens WHERE hash = ?', sha256(secret))
  return row === undefined ? null : toToken(row)
}

/** Lists API tokens that are still valid, newest first. */
export function listApiTokens(store: Store): Token[] {
  const sql = `SELECT * FROM tokens WHERE kind = 'api' AND revoked_at IS NULL ORDER BY created_at DESC, rowid DESC`
  return store.all<TokenRow>(sql).map(toToken)
}

interface TokenRow {
  account_id: string
  id: string
  kind: TokenKind
  family: string
  other_accounts: JsonText<readonly string[]>
  client_id: string | null
  name: string | null
  scopes: JsonText<string[]>
  expires_at: number | null
  used_at: number | null
  revoked_at: number | null
}

function toToken(row: TokenRow): Token {
  const accountId = row.account_id
  return {
    id: row.id,
    kind: row.kind,
    family: row.family,
    accountId,
    accountIds: [accountId, ...JSON.parse(row.other_accounts)],
    clientId: row.client_id,
    name: row.name,
    scopes: JSON.parse(row.scopes),
    expiresAt: row.expires_at,
    usedAt: row.used_at,
    revokedAt: row.revoked_at,
  }
}

export function isTokenValid(token: Token, now: number): boolean {
  return token.revokedAt === null && (token.expiresAt === null || token.expiresAt > now)
}

/** Stores when a request last used the token. */
export function markUsed(store: Store, token: Token, at: number): void {
  store.run('UPDATE tokens SET used_at = ? WHERE id = ?', at, token.id)
}

/** Revokes an access token together with the refresh token and all other tokens of the same sign-in. */
export function revokeFamily(store: Store, family: string, at: number): void {
  store.run('UPDATE tokens SET revoked_at = ? WHERE family = ? AND revoked_at IS NULL', at, family)
}
