import { chmodSync, chownSync, lchownSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { canReach, chooseTenantAccount } from '../../db/embedded/account.ts'

/** Options of `spawn` and `fork` for a process that handles text of tenants. */
export interface Privileges {
  uid: number
  gid: number
}

let chosenPrivileges: Privileges | null | undefined

/**
 * Returns the account for processes with text of tenants when the service runs as root. Null means the service's own account. If the
 * other account cannot read the needed programs, the processes keep the rights of root, and the log says so once.
 */
export function leastPrivileges(log: Logger): Privileges | null {
  if (chosenPrivileges === undefined)
    chosenPrivileges = process.getuid?.() === 0 ? choosePrivileges(log) : null
  return chosenPrivileges
}

function choosePrivileges(log: Logger): Privileges | null {
  const account = chooseTenantAccount()
  const { default: workerd } = createRequire(import.meta.url)('workerd') as { default: string }
  const needed: [string, number][] = [
    [process.execPath, 0o1],
    [import.meta.filename, 0o4],
    [workerd, 0o1],
    [tmpdir(), 0o1],
  ]
  const closed = account === null ? undefined : needed.find(([path, use]) => !canReach(account, path, use))
  if (account !== null && closed === undefined) return { uid: account.uid, gid: account.gid }
  const reason =
    closed === undefined
      ? 'this system has no free account "nobody" or "daemon"'
      : `other accounts cannot reach ${closed[0]}`
  log.warn({ reason }, 'checks of apps run with the rights of root')
  return null
}

/**
 * Makes the account the owner of `folder`, which is two levels below a private folder of the service. The account may traverse the
 * private folder but not list it.
 */
export function changeOwner(folder: string, { uid, gid }: Privileges): void {
  chmodSync(dirname(dirname(folder)), 0o711)
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  // Change the contents before the folder. In a folder that already belongs to the account, another process could
  // replace a file with a link.
  for (const entry of entries.toReversed()) lchownSync(join(entry.parentPath, entry.name), uid, gid)
  chownSync(folder, uid, gid)
}
