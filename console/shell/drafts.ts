import { meQuery } from '../api/account/session.ts'
import { queryClient } from '../api/request/query-client.ts'

const KEY_PREFIX = 'slipway.draft.'
const DRAFT_CHARS_MAX = 262_144
const DRAFT_AGE_MAX_MS = 30 * 24 * 60 * 60 * 1000

export interface Draft {
  /** Returns the stored text. Empty when there is none, or when storage is blocked. */
  read: () => string
  /** Stores the text. An empty text removes the draft, unless another tab has stored a newer one since. */
  store: (text: string) => void
}

/**
 * Opens the place in this browser that keeps unsent input over a reload: of this user, in this organization, for this object. It stays
 * theirs when another user signs in in another tab. Without a user nothing is stored. Never pass a secret: every script of this origin can
 * read it.
 */
export function openDraft(kind: string, id = ''): Draft {
  const me = queryClient.getQueryData(meQuery().queryKey)
  const key = me?.user ? `${prefixOf(me.user.id)}${me.organization.id}.${kind}.${id}` : null
  /** The item as this page has read or stored it last. Another one was stored by another tab, so it is not removed here. */
  let known: string | null = null
  return {
    read: () => {
      known = readItem(key)
      return isCurrent(known) ? known.slice(known.indexOf(' ') + 1) : ''
    },
    store: (text) => {
      if (key === null) return
      // A draft that is too long removes the stored one, which would otherwise look like the newest.
      const isKept = text !== '' && text.length <= DRAFT_CHARS_MAX
      try {
        if (!isKept) {
          if (localStorage.getItem(key) === known) localStorage.removeItem(key)
          return
        }
        const item = `${Date.now()} ${text}`
        localStorage.setItem(key, item)
        known = item
      } catch {
        // Storage is full or blocked: the text stays on screen, and a reload brings back the last text that was stored.
      }
    },
  }
}

const prefixOf = (userId: string) => `${KEY_PREFIX}${userId}.`

function readItem(key: string | null): string | null {
  try {
    return key === null ? null : localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Whether a stored item is a draft that is not too old. It begins with the time at which it was stored. */
function isCurrent(item: string | null): item is string {
  const [, storedAt] = /^(\d+) /.exec(item ?? '') ?? []
  return storedAt !== undefined && Date.now() - Number(storedAt) < DRAFT_AGE_MAX_MS
}

/** Removes the drafts of all users that are too old, and those that an older console stored without their user. */
export function removeOldDrafts(): void {
  removeItems((key) => key.startsWith(KEY_PREFIX) && !isCurrent(readItem(key)))
}

const RECENT_KEY = 'slipway.recent'
const forgetListeners = new Set<() => void>()

/** Registers a function that clears data in memory when the drafts are cleared at a sign-out. */
export function onDraftsCleared(forget: () => void): void {
  forgetListeners.add(forget)
}

/**
 * Removes the unsent input and the recently opened pages of a user at a sign-out. Removes the unsent input of all users when it is not
 * known which one signs out. A session that expires keeps it: the same user finds it after the next sign-in.
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
