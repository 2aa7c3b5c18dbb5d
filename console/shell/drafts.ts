const KEY_PREFIX = 'slipway.draft.'
const DRAFT_CHARS_MAX = 262_144

/** Returns unsent input, which survives a reload. Empty when there is none, or when storage is blocked. */
export function readDraft(kind: string, id = ''): string {
  try {
    return localStorage.getItem(`${KEY_PREFIX}${kind}.${id}`) ?? ''
  } catch {
    return ''
  }
}

/**
 * Stores unsent input; an empty draft removes the stored one. A draft that is too long is not stored, and the stored one is removed,
 * because it would otherwise look like the newest.
 */
export function storeDraft(draft: string, kind: string, id = ''): void {
  const key = `${KEY_PREFIX}${kind}.${id}`
  try {
    if (draft === '' || draft.length > DRAFT_CHARS_MAX) localStorage.removeItem(key)
    else localStorage.setItem(key, draft)
  } catch {
    // Storage is full or blocked: the draft stays on screen but does not survive a reload.
  }
}

const RECENT_KEY = 'slipway.recent'
const forgetListeners = new Set<() => void>()

/** Registers a function that clears data in memory when the drafts are cleared at a sign-out. */
export function onDraftsCleared(forget: () => void): void {
  forgetListeners.add(forget)
}

/** Removes all unsent input and the recently opened pages of this user at a sign-out. */
export function clearDrafts(): void {
  for (const forget of forgetListeners) forget()
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(KEY_PREFIX) || key === RECENT_KEY)
    for (const key of keys) localStorage.removeItem(key)
  } catch {
    // Storage is blocked, so there are no drafts.
  }
}
