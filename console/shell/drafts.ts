const PREFIX = 'slipway.draft.'
const MOST_CHARACTERS = 65_536

/** Reads unsent input, which survives a reload; empty when there is none or storage is blocked. */
export function readDraft(kind: string, id = ''): string {
  try {
    return localStorage.getItem(`${PREFIX}${kind}.${id}`) ?? ''
  } catch {
    return ''
  }
}

/** Stores a draft; an empty one is removed, and one that is too long is not stored. */
export function storeDraft(draft: string, kind: string, id = ''): void {
  const key = `${PREFIX}${kind}.${id}`
  try {
    if (draft === '') localStorage.removeItem(key)
    else if (draft.length <= MOST_CHARACTERS) localStorage.setItem(key, draft)
  } catch {
    // Storage is full or blocked: the draft stays on screen, but does not survive a reload.
  }
}

const RECENT = 'slipway.recent'
const forgetting = new Set<() => void>()

/** Registers a function that clears related data in memory when a sign-out clears the drafts. */
export function onDraftsCleared(forget: () => void): void {
  forgetting.add(forget)
}

/** Removes everything of this user after a sign-out: unsent input and remembered places. */
export function clearDrafts(): void {
  for (const forget of forgetting) forget()
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX) || key === RECENT)
    for (const key of keys) localStorage.removeItem(key)
  } catch {
    // Blocked storage has no drafts.
  }
}
