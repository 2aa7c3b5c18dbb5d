import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Lock {
  release(): void
}

/**
 * Takes the exclusive lock of a data directory; returns null when another process holds it. The lock is SQLite's lock on the
 * file: the operating system releases the lock when the owning process dies, even by kill -9.
 */
export function takeLock(path: string): Lock | null {
  const db = new DatabaseSync(path)
  try {
    db.exec('PRAGMA journal_mode=MEMORY; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE')
    return { release: () => db.close() }
  } catch (error) {
    db.close()
    if (error instanceof Error && /locked|busy/i.test(error.message)) return null
    throw error
  }
}

/**
 * Tries to take the lock. Returns null when `limitMs` have passed or `isWorthWaiting` returns false. `isWorthWaiting` returns true
 * while the process that holds the lock is about to exit.
 */
export async function waitForLock(
  path: string,
  isWorthWaiting: () => boolean,
  limitMs: number,
): Promise<Lock | null> {
  const until = performance.now() + limitMs
  for (;;) {
    const lock = takeLock(path)
    if (lock !== null || !isWorthWaiting() || performance.now() > until) return lock
    await sleep(50)
  }
}
