import { hexId, newSecret, sha256 } from '../../world/ids.ts'
import type { Row, Store } from '../../world/store.ts'

type TokenKind = 'api' | 'access' | 'refresh'

export interface Token {
  id: string
  kind: TokenKind
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
    JSON.stringify(token.otherAccounts ?? []),
    token.clientId ?? null,
    token.name ?? null,
    JSON.stringify(token.scopes),
    token.lifeMs === undefined ? null : token.at + token.lifeMs,
    token.at,
  )
  return { secret, id }
}

/** Also returns expired and revoked tokens, so the caller must check for both. */
export function findToken(store: Store, secret: string): Token | null {
  const row = store.get<Row>('SELECT * FROM tokens WHERE hash = ?', sha256(secret))
  return row === undefined ? null : toToken(row)
}

/** Lists API tokens that are still valid, newest first. */
export function listApiTokens(store: Store): Token[] {
  const sql = `SELECT * FROM tokens WHERE kind = 'api' AND revoked_at IS NULL ORDER BY created_at DESC, rowid DESC`
  return store.all(sql).map(toToken)
}

function toToken(row: Row): Token {
  const accountId = row['account_id'] as string
  return {
    id: row['id'] as string,
    kind: row['kind'] as TokenKind,
    family: row['family'] as string,
    accountId,
    accountIds: [accountId, ...(JSON.parse(row['other_accounts'] as string) as string[])],
    clientId: row['client_id'] as string | null,
    name: row['name'] as string | null,
    scopes: JSON.parse(row['scopes'] as string) as string[],
    expiresAt: row['expires_at'] as number | null,
    usedAt: row['used_at'] as number | null,
    revokedAt: row['revoked_at'] as number | null,
  }
}

export function isLive(token: Token, now: number): boolean {
  return token.revokedAt === null && (token.expiresAt === null || token.expiresAt > now)
}

export function markUsed(store: Store, token: Token, at: number): void {
  store.run('UPDATE tokens SET used_at = ? WHERE id = ?', at, token.id)
}

export function revokeFamily(store: Store, family: string, at: number): void {
  store.run('UPDATE tokens SET revoked_at = ? WHERE family = ? AND revoked_at IS NULL', at, family)
}
