import { requireStored, type Store } from '../world/store.ts'

export interface GithubAccount {
  id: number
  login: string
  name: string
  type: 'User' | 'Organization'
  createdAt: number
}

interface GithubAccountRow {
  id: number
  login: string
  name: string
  type: GithubAccount['type']
  created_at: number
}

const toAccount = (row: GithubAccountRow): GithubAccount => ({
  id: row.id,
  login: row.login,
  name: row.name,
  type: row.type,
  createdAt: row.created_at,
})

const toAccountOrNull = (row: GithubAccountRow | undefined): GithubAccount | null =>
  row === undefined ? null : toAccount(row)

export const readAccount = (store: Store, id: number): GithubAccount | null =>
  toAccountOrNull(store.get<GithubAccountRow>('SELECT * FROM github_accounts WHERE id = ?', id))

export const findAccount = (store: Store, login: string): GithubAccount | null =>
  toAccountOrNull(store.get<GithubAccountRow>('SELECT * FROM github_accounts WHERE login = ?', login))

export const listUsers = (store: Store): GithubAccount[] =>
  store.all<GithubAccountRow>(`SELECT * FROM github_accounts WHERE type = 'User' ORDER BY id`).map(toAccount)

export const listOrganizations = (store: Store, userId: number): GithubAccount[] =>
  store
    .all<GithubAccountRow>(
      `SELECT a.* FROM github_accounts a JOIN github_members m ON m.organization_id = a.id
       WHERE m.user_id = ? ORDER BY a.id`,
      userId,
    )
    .map(toAccount)

/** Returns whether a user may act for this owner: the user's own account, or an organization of the user. */
export function actsFor(store: Store, userId: number, ownerId: number): boolean {
  if (userId === ownerId) return true
  const sql = 'SELECT 1 FROM github_members WHERE organization_id = ? AND user_id = ?'
  return store.get(sql, ownerId, userId) !== undefined
}

/** Returns the user that was created for this `login_hint` of an OAuth request; null when there is none. */
export const findByHint = (store: Store, hint: string): GithubAccount | null =>
  hint === ''
    ? null
    : toAccountOrNull(store.get<GithubAccountRow>('SELECT * FROM github_accounts WHERE login_hint = ?', hint))

export function userForHint(store: Store, hint: string, name: string, at: number): GithubAccount {
  return store.transact(() => {
    const known = findByHint(store, hint)
    return known ?? insertAccount(store, { name, type: 'User', ...(hint !== '' && { loginHint: hint }), at })
  })
}

/** Creates an account. The login is derived from the name, with a number when the login is taken. */
function insertAccount(
  store: Store,
  account: { name: string; type: GithubAccount['type']; loginHint?: string; at: number },
): GithubAccount {
  const login = deriveLogin(store, account.name)
  store.run(
    'INSERT INTO github_accounts (login, name, type, login_hint, created_at) VALUES (?, ?, ?, ?, ?)',
    login,
    account.name,
    account.type,
    account.loginHint ?? null,
    account.at,
  )
  return requireStored(findAccount(store, login))
}

/** Creates a user and an organization of that user, unless the database has users already. */
export function seedGithub(store: Store, at: number): void {
  if (listUsers(store).length > 0) return
  store.transact(() => {
    const owner = insertAccount(store, { name: 'owner', type: 'User', at })
    const demo = insertAccount(store, { name: 'demo', type: 'Organization', at })
    store.run('INSERT INTO github_members (organization_id, user_id) VALUES (?, ?)', demo.id, owner.id)
  })
}

// The provider's limit for the length of a login.
const LOGIN_CHARS_MAX = 39

function deriveLogin(store: Store, name: string): string {
  const cleaned = name
    .normalize('NFKD')
    // In the decomposed form an accent is a separate character, which would become a dash.
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    // Leave room for a number that makes the login unique.
    .slice(0, LOGIN_CHARS_MAX - 7)
    .replaceAll(/^-+|-+$/g, '')
  const base = cleaned === '' ? 'user' : cleaned
  for (let n = 1; ; n++) {
    const login = n === 1 ? base : `${base}-${n}`
    if (findAccount(store, login) === null) return login
  }
}
