import { meQuery } from '../api/account/session.ts'
import { queryClient } from '../api/request/query-client.ts'

/** The prefix of all drafts in the browser's storage. `clear-drafts.ts` finds the drafts of every user by it. */
export const KEY_PREFIX = 'slipway.draft.'
const DRAFT_CHARS_MAX = 262_144
const DRAFT_AGE_MAX_MS = 30 * 24 * 60 * 60 * 1000

/** The stored, unsent input of one form of one object. */
export interface Draft {
  /** The name of the draft's item in the browser's storage. Null without a user. */
  key: string | null
  /** Returns the stored text. Empty when there is none, or when storage is blocked. */
  read: () => string
  /** Stores the text. An empty text removes the draft, unless another tab has stored a newer one since. */
  store: (text: string) => void
  /**
   * Returns the id with which this page has read or stored `text`. Every tab that shows the draft has the same id. Null when `text` is not
   * stored.
   */
  idOf: (text: string) => string | null
}

/**
 * Opens the place in this browser that keeps unsent input over a reload. The place belongs to this user, organization and object, even
 * after another user signs in in another tab. Without a user nothing is stored. Never pass a secret: every script of this origin can read
 * the stored input.
 */
export function openDraft(kind: string, id = ''): Draft {
  const me = queryClient.getQueryData(meQuery().queryKey)
  const key = me?.user ? `${prefixOf(me.user.id)}${me.organization.id}.${kind}.${id}` : null
  /** The item that this page has read or stored last. A different item was stored by another tab, so this page does not remove it. */
  let known: string | null = null
  return {
    key,
    idOf: (text) => (known !== null && textOfItem(known) === text ? idOfItem(known) : null),
    read: () => {
      known = readItem(key)
      return isCurrent(known) ? textOfItem(known) : ''
    },
    store: (text) => {
      if (key === null) return
      // A draft that is too long removes the stored one, which would otherwise look like the newest.
      const isKept = text !== '' && text.length <= DRAFT_CHARS_MAX
      try {
        if (!isKept) {
          const removed = known
          known = null
          if (removed === null || localStorage.getItem(key) !== removed) return
          localStorage.removeItem(key)
          for (const listener of removalListeners) listener(idOfItem(removed))
          return
        }
        // The random part tells apart texts that two tabs store in the same millisecond.
        const item = `${Date.now()}-${Math.random().toString(36).slice(2)} ${text}`
        localStorage.setItem(key, item)
        known = item
      } catch {
        // Storage is full or blocked: the text stays on screen, and a reload brings back the last text that was stored.
      }
    },
  }
}

const removalListeners = new Set<(id: string) => void>()

/** Calls `listener` with the id of each draft that this page removes. Returns the function that unsubscribes `listener`. */
export function onDraftRemoved(listener: (id: string) => void): () => void {
  removalListeners.add(listener)
  return () => void removalListeners.delete(listener)
}

const idOfItem = (item: string) => item.slice(0, item.indexOf(' '))
const textOfItem = (item: string) => item.slice(item.indexOf(' ') + 1)

/** The prefix of one user's drafts, so that a sign-out removes only these. */
export const prefixOf = (userId: string) => `${KEY_PREFIX}${userId}.`

function readItem(key: string | null): string | null {
  try {
    return key === null ? null : localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Whether a stored item is a draft that is not too old. The item begins with the time at which it was stored. */
export const isCurrent = (item: string | null): item is string =>
  item !== null && Date.now() - Number.parseInt(item, 10) < DRAFT_AGE_MAX_MS
