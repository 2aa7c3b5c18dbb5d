import type { PlanMessage } from '@slipway/sdk/client/types.gen.ts'

/** The end of a plan thread as far up as it was read, oldest first. */
export interface Thread {
  messages: PlanMessage[]
  /** Names the page above; null when the thread begins here. */
  older: string | null
  total: number
}

interface Page {
  items: PlanMessage[]
  nextCursor: string | null
  total: number
}

/**
 * The thread with its newest page read again. What that page covers is as it says: a reply that is tried again is gone
 * for the while. What was read above it stays, unless so much was said meanwhile that there is a gap.
 */
export function withLatest(known: Thread | undefined, latest: Page): Thread {
  const fresh = latest.items.toReversed()
  const seam = known?.messages.findIndex(({ id }) => id === fresh[0]?.id) ?? -1
  if (known === undefined || seam < 1)
    return { messages: fresh, older: latest.nextCursor, total: latest.total }
  return {
    messages: [...known.messages.slice(0, seam), ...fresh],
    older: known.older,
    total: latest.total,
  }
}

/** The thread with the page above it, unless that was added already. */
export function withOlder(known: Thread, page: Page, cursor: string): Thread {
  if (known.older !== cursor) return known
  return { ...known, messages: [...page.items.toReversed(), ...known.messages], older: page.nextCursor }
}

/** Something was said that has no reply yet: one is being written. */
export const isAwaitingReply = (thread: Thread | undefined) => thread?.messages.at(-1)?.role === 'user'
