import { readFileSync, statSync, realpathSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'

/**
 * The operating-system account that Postgres runs as. Where a function takes `SystemAccount | null`, null is the
 * account of this process.
 */
export interface SystemAccount {
  name: string
  uid: number
  gid: number
}

const ACCOUNT_CANDIDATES = ['postgres', 'nobody']

/** Returns an unprivileged account for Postgres, which refuses to run as root. Returns null when this process is not root. */
export function chooseAccount(): SystemAccount | null {
  if (process.platform === 'win32') return null
  if (process.getuid?.() !== 0) {
    requireNamedUser()
    return null
  }
  const found = firstExistingAccount(ACCOUNT_CANDIDATES)
  if (found === undefined) {
    throw new Error(
      'The embedded database cannot run as root and finds neither an account "postgres" nor "nobody"; set DATABASE_URL instead.',
    )
  }
  return found
}

/**
 * Returns the account that runs tenant code when this process is root. Returns null when this process is not root, or
 * when no such account exists besides the account of Postgres.
 */
export function chooseTenantAccount(): SystemAccount | null {
  if (process.getuid?.() !== 0) return null
  // Tenant code must not own the files of the database.
  const taken = firstExistingAccount(ACCOUNT_CANDIDATES)?.name
  return firstExistingAccount(['nobody', 'daemon'].filter((name) => name !== taken)) ?? null
}

function firstExistingAccount(names: string[]): SystemAccount | undefined {
  const accounts = readAccounts()
  return names.flatMap((name) => accounts.filter((account) => account.name === name))[0]
}

function readAccounts(): SystemAccount[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .flatMap(([name, , uid, gid]) =>
      name === undefined || gid === undefined ? [] : [{ name, uid: Number(uid), gid: Number(gid) }],
    )
}

// Throws when this process has no user name: initdb needs one, and a container with a random uid has none.
function requireNamedUser(): void {
  try {
    userInfo()
  } catch (cause) {
    throw new Error(
      `The embedded database needs a user that has a name, and uid ${process.getuid?.()} has none; set DATABASE_URL instead.`,
      { cause },
    )
  }
}

/**
 * Returns whether the account can pass through every folder above `path` and has the rights `needed` on `path` itself
 * (4 to read, 1 to execute a file or pass through a folder).
 */
export function canReach(account: SystemAccount, path: string, needed: number): boolean {
  const real = realpathSync(path)
  if (!hasPermission(account, real, needed)) return false
  for (let at = dirname(real); ; at = dirname(at)) {
    if (!hasPermission(account, at, 0o1)) return false
    if (at === dirname(at)) return true
  }
}

function hasPermission(account: SystemAccount, path: string, needed: number): boolean {
  const { mode, uid, gid } = statSync(path)
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
  return ((mode >> shift) & needed) === needed
}
