const PREFIX = 'slipway.draft.'
const MOST_CHARACTERS = 65_536

/** What was typed and not sent yet survives a reload. */
export function readDraft(kind: string, id = ''): string {
  try {
    return localStorage.getItem(`${PREFIX}${kind}.${id}`) ?? ''
  } catch {
    return ''
  }
}

/** Keeps a draft; an empty one is removed. */
export function storeDraft(draft: string, kind: string, id = ''): void {
  const key = `${PREFIX}${kind}.${id}`
  try {
    if (draft === '') localStorage.removeItem(key)
    else if (draft.length <= MOST_CHARACTERS) localStorage.setItem(key, draft)
  } catch {
    // A full or blocked storage costs the draft's survival, not the draft on screen.
  }
}

const RECENT = 'slipway.recent'
const forgetting = new Set<() => void>()

/** What is held in memory beside the drafts goes with them. */
export function onDraftsCleared(forget: () => void): void {
  forgetting.add(forget)
}

/** Signing out leaves nothing of this person behind: neither what was typed nor where they were. */
export function clearDrafts(): void {
  for (const forget of forgetting) forget()
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX) || key === RECENT)
    for (const key of keys) localStorage.removeItem(key)
  } catch {
    // Blocked storage holds no drafts.
  }
}
