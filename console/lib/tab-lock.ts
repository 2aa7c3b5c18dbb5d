/** The locks that the tabs of this browser share. Only pages with https, or on localhost, have them. */
const tabLocks = () => (navigator as { locks?: LockManager | null }).locks ?? null

/**
 * Holds a lock until `work` settles. The browser also releases the lock when the page is closed or crashes. Several pages may hold the same
 * lock.
 */
export function holdTabLock(name: string | null, work: Promise<unknown>): void {
  if (name === null) return
  const held = tabLocks()?.request(name, { mode: 'shared' }, () => work)
  // The caller handles an error of `work`. A browser that refuses the lock behaves like one without locks.
  held?.catch(() => {})
}

/** Calls `act` unless a page holds the lock. Without a lock name, or in a browser without locks, the call is synchronous. */
export function unlessTabLocked(name: string | null, act: () => void): void {
  const locks = tabLocks()
  if (locks === null || name === null) return act()
  // A browser that refuses locks also blocks storage, where `act` would find nothing.
  locks.request(name, { ifAvailable: true }, (lock) => lock && act()).catch(() => {})
}
