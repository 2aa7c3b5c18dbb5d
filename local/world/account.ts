import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  constants,
  fchownSync,
  lchownSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import type { Log } from './log.ts'

export const SystemAccount = z.object({
  uid: z.number(),
  gid: z.number(),
  /** The data directory. Everything that belongs to the account is below this directory. */
  dir: z.string(),
})
export type SystemAccount = z.output<typeof SystemAccount>

/**
 * User accounts that can run apps. On a system without the account `postgres` the database runs as `nobody`;
 * apps then get `daemon`, because they must not own the files of the database.
 */
const ACCOUNT_CANDIDATES = ['nobody', 'daemon']

/**
 * Chooses the user account that runs apps when this process is root; otherwise returns null. Also returns
 * null, and logs why, when no account is usable, for example because no account can read the data directory. Apps then run as root.
 */
export function chooseAccount(needed: { program: string; dir: string }, log: Log): SystemAccount | null {
  if (process.getuid?.() !== 0) return null
  const accounts = readAccounts()
  const names = accounts.has('postgres') ? ACCOUNT_CANDIDATES : ACCOUNT_CANDIDATES.slice(1)
  const ids = names.map((name) => accounts.get(name)).find((found) => found !== undefined)
  if (ids === undefined) return keepRoot(log, `this system has no account ${names.join(' or ')}`)
  const closed = [needed.program, dirname(needed.dir)].find((path) => !canPass(ids, path))
  if (closed !== undefined) return keepRoot(log, `other accounts cannot reach ${closed}`)
  if (!canRun([...setprivPrefix(ids), '--']))
    return keepRoot(log, 'the program setpriv (of util-linux) is missing or may not change the account')
  return { ...ids, dir: needed.dir }
}

function keepRoot(log: Log, reason: string): null {
  log.warn('apps run with the rights of root', { reason })
  return null
}

type SystemIds = Pick<SystemAccount, 'uid' | 'gid'>

/** Returns a command prefix that runs a program as another user account, without the means to become root again. */
export function setprivPrefix({ uid, gid }: SystemIds): string[] {
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=-all',
    '--no-new-privs',
  ]
}

export function canRun([program = '', ...args]: string[]): boolean {
  return spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0
}

function readAccounts(): Map<string, SystemIds> {
  const fields = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  return new Map(fields.map(([name = '', , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]))
}

/** Returns whether the account can enter the folder or run the program, and enter every folder above it. */
function canPass(ids: SystemIds, path: string): boolean {
  for (let at = realpathSync(path); ; at = dirname(at)) {
    const { mode, uid, gid } = statSync(at)
    const shift = uid === ids.uid ? 6 : gid === ids.gid ? 3 : 0
    if (((mode >> shift) & 0o1) === 0) return false
    if (at === dirname(at)) return true
  }
}

/** Makes the account the owner of a folder below the data directory, and lets it enter the folders above. */
export function changeOwner(path: string, account: SystemAccount): void {
  for (let at = dirname(path); at.startsWith(account.dir); at = dirname(at))
    chmodSync(at, statSync(at).mode | 0o111)
  changeOwnerOf(path, account)
}

/**
 * Changes the owner recursively. Follows no links: a process of the account may replace a folder by a link meanwhile, so each folder is
 * opened by a path through its parent folder's file descriptor.
 */
function changeOwnerOf(path: string, ids: SystemIds): void {
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    fchownSync(folder, ids.uid, ids.gid)
    const inside = `/proc/self/fd/${folder}`
    for (const entry of readdirSync(inside, { withFileTypes: true })) {
      const at = join(inside, entry.name)
      try {
        if (entry.isDirectory()) changeOwnerOf(at, ids)
        else lchownSync(at, ids.uid, ids.gid)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
  } finally {
    closeSync(folder)
  }
}

/**
 * The limit of the memory that workerd may reserve. workerd reserves half a gigabyte when it starts (measured), so this limit is far above
 * the watchdog's limit, which is for used memory.
 */
const DATA_BYTES_MAX = 1.5 * 1024 ** 3

/**
 * Returns a command prefix that runs a program as an unprivileged account. The program is killed when its parent dies, and is the first to
 * be killed when memory is short. On systems without the needed tools (macOS, small images), leftover processes are killed when the local
 * world starts again.
 */
export function processGuard(account: SystemAccount | null): string {
  if (process.platform !== 'linux') return ''
  const firstToGo = ['choom', '-n', '1000', '--']
  // The kernel clears the parent death signal when a process changes its account, so one `setpriv` call changes
  // the account and sets the signal.
  const confined = account === null ? ['setpriv'] : setprivPrefix(account)
  const deathSignal = [...confined, '--pdeathsig', 'KILL', '--']
  return [firstToGo, deathSignal].filter(canRun).flat().join(' ')
}

/** Returns the command prefix for workerd, which also limits workerd's memory. */
export function workerdGuard(account: SystemAccount | null): string {
  if (process.platform !== 'linux') return ''
  const limit = ['prlimit', `--data=${DATA_BYTES_MAX}`, '--']
  return `${canRun(limit) ? `${limit.join(' ')} ` : ''}${processGuard(account)}`
}
