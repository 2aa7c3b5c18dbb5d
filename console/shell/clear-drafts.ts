import { isCurrent, KEY_PREFIX, prefixOf } from './drafts.ts'

const RECENT_KEY = 'slipway.recent'
const forgetListeners = new Set<() => void>()

/** Removes drafts of all users that are too old. Also removes drafts that an older console stored without a user. */
export function removeOldDrafts(): void {
  removeItems((key) => key.startsWith(KEY_PREFIX) && !isCurrent(localStorage.getItem(key)))
}

/** Registers a function that clears data in memory when the drafts are cleared at a sign-out. */
export function onDraftsCleared(forget: () => void): void {
  forgetListeners.add(forget)
}

/**
 * Removes the unsent input and the recently opened pages of a user at a sign-out. Removes the unsent input of all users when it is unknown
 * which user signs out. When a session expires, the input stays: the same user finds it after the next sign-in.
 */
export function clearDrafts(userId: string | undefined): void {
  for (const forget of forgetListeners) forget()
  const prefix = userId === undefined ? KEY_PREFIX : prefixOf(userId)
  removeItems((key) => key.startsWith(prefix) || key === RECENT_KEY)
}

function removeItems(isRemoved: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(localStorage).filter(isRemoved)) localStorage.removeItem(key)
  } catch {
    // Storage is blocked, so there is nothing to remove.
  }
}
