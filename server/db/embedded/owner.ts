import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode } from './system-error.ts'

/**
 * How long to wait for the lock of a process that was killed. The kernel first frees the memory of the process, which
 * may take seconds, and then releases the lock.
 */
const LOCK_RELEASE_MS_MAX = 5_000
const POLL_MS = 50

/** Returns whether a process with this id is running, under any user. A zombie does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
  return !isZombie(pid)
}

function isZombie(pid: number): boolean {
  try {
    // The process state follows the program's name, which may itself contain spaces and parentheses.
    return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/**
 * Makes this process the only owner of an embedded database, because a second service would restart and stop the same
 * server. Uses a file lock of SQLite, which the kernel releases when the process ends. Waits for an owner that was
 * just killed; rejects when the database still has an owner after `waitMs`. Returns the function that releases the
 * lock.
 */
export async function takeOwnership(lockFile: string, waitMs = LOCK_RELEASE_MS_MAX): Promise<() => void> {
  const pidFile = `${lockFile}.pid`
  const until = performance.now() + waitMs
  for (;;) {
    const lock = tryLock(lockFile)
    if (lock !== null) {
      writeFileSync(pidFile, String(process.pid), { mode: 0o600 })
      return () => lock.close()
    }
    if (performance.now() > until) {
      throw new Error(
        `Another service (process ${readPid(pidFile)}) owns the embedded database of this data directory; use DATABASE_URL for several processes.`,
      )
    }
    await sleep(POLL_MS)
  }
}

function tryLock(path: string): DatabaseSync | null {
  const lock = new DatabaseSync(path)
  try {
    lock.exec('PRAGMA journal_mode=MEMORY; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (error instanceof Error && /locked|busy/i.test(error.message)) return null
    throw error
  }
}

function readPid(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8')
  } catch {
    return 'unknown'
  }
}
