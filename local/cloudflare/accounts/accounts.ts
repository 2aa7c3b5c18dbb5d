import { hexId } from '../../world/ids.ts'
import { requireStored, type Store } from '../../world/store.ts'
import type { Account } from '../types.ts'
import { seedZones } from '../store/zones.ts'

/** The local cloud has a single user. */
export const localOwner = { id: '6f776e65720000000000000000000000', email: 'owner@slipway.test' }

interface AccountRow {
  id: string
  name: string
  plan: Account['plan']
  subdomain: string | null
  created_at: number
}

function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    subdomain: row.subdomain,
    createdAt: row.created_at,
  }
}

export function readAccount(store: Store, id: string): Account | null {
  const row = store.get<AccountRow>('SELECT * FROM accounts WHERE id = ?', id)
  return row === undefined ? null : toAccount(row)
}

export function listAccounts(store: Store): Account[] {
  return store.all<AccountRow>('SELECT * FROM accounts ORDER BY rowid').map(toAccount)
}

interface NewAccount {
  name: string
  plan: Account['plan']
  loginHint?: string
  at: number
}

/**
 * Creates an account. To recreate a lost account, pass its id and subdomain as `keep`. Without a subdomain, or when the subdomain is taken,
 * the account's subdomain is derived from the name.
 */
export function createAccount(
  store: Store,
  account: NewAccount,
  keep: { id?: string; subdomain?: string } = {},
): Account {
  return store.transact(() => {
    const id = keep.id ?? hexId()
    const { subdomain } = keep
    const isFree = subdomain !== undefined && subdomainProblem(store, subdomain) === null
    store.run(
      'INSERT INTO accounts (id, name, plan, subdomain, login_hint, created_at) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      account.name,
      account.plan,
      isFree ? subdomain : deriveSubdomain(store, account.name),
      account.loginHint ?? null,
      account.at,
    )
    const made = requireStored(readAccount(store, id))
    seedZones(store, made, account.at)
    return made
  })
}

/**
 * Returns the account with this id. When the account was lost with the local cloud's data, recreates it with the old id and, when no other
 * account uses it, the old subdomain. The ids and addresses that the service stored thus stay valid.
 */
export function restoreAccount(store: Store, id: string, subdomain: string, account: NewAccount): Account {
  return store.transact(() => {
    const known = readAccount(store, id)
    if (known !== null) return known
    const { loginHint, ...lost } = account
    const isHintFree = loginHint !== undefined && findAccountByHint(store, loginHint) === null
    return createAccount(store, { ...lost, ...(isHintFree && { loginHint }) }, { id, subdomain })
  })
}

/**
 * Returns the account that an earlier authorization created for the organization `hint` (from `login_hint`); null when there is none. A
 * repeated authorization request thus reuses the account.
 */
export function findAccountByHint(store: Store, hint: string): Account | null {
  const row = store.get<AccountRow>('SELECT * FROM accounts WHERE login_hint = ?', hint)
  return row === undefined ? null : toAccount(row)
}

/** Returns an error message for a subdomain that an account cannot have; null for a valid one. */
export function subdomainProblem(store: Store, label: string): string | null {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
    return 'subdomain must be a DNS label in lower case'
  // These endings are reserved for the example zones that every account has.
  if (/-(?:demo|new)$/.test(label)) return 'subdomain must not end in -demo or -new'
  if (store.get('SELECT 1 FROM accounts WHERE subdomain = ?', label) !== undefined)
    return 'subdomain is taken'
  return null
}

/** Returns an error message when the host name is within `<account>.localhost`, which is reserved for that account's workers; else null. */
export function reservedHostProblem(store: Store, hostname: string): string | null {
  const above = `.${hostname}`
  const taken = listAccounts(store).find(
    ({ subdomain }) => subdomain !== null && above.endsWith(`.${subdomain}.localhost`),
  )
  return taken === undefined ? null : `${hostname} lies below the subdomain of an account.`
}

export function setSubdomain(store: Store, accountId: string, label: string): void {
  store.run('UPDATE accounts SET subdomain = ? WHERE id = ?', label, accountId)
}

// A DNS label has at most 63 characters. A limit of 30 leaves room for `<worker>-preview` and for a number that makes the label unique.
const LABEL_LENGTH = 30

function deriveSubdomain(store: Store, name: string): string {
  const cleaned = name
    .normalize('NFKD')
    // In the decomposed form an accent is a separate character, which would become a dash.
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LABEL_LENGTH)
    .replaceAll(/^-+|-+$/g, '')
  const base = cleaned === '' ? 'account' : cleaned
  for (let n = 1; ; n++) {
    const label = n === 1 ? base : `${base}-${n}`
    if (subdomainProblem(store, label) === null) return label
  }
}
