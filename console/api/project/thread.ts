import type { PlanMessage } from '@slipway/sdk/client/types.gen.ts'

/**
 * The loaded part of the conversation with the plan agent about a project, up to the newest message, oldest
 * first.
 */
export interface Thread {
  messages: PlanMessage[]
  /** The cursor of the next older page; null when the beginning of the thread is loaded. */
  older: string | null
  total: number
}

interface MessagePage {
  items: PlanMessage[]
  nextCursor: string | null
  total: number
}

/**
 * Returns the thread with its newest page replaced, so a reply that is being retried disappears. Keeps the older pages. Drops them only
 * when so many messages are new that there is a gap between the older pages and the newest one.
 */
export function withLatestMessages(known: Thread | undefined, latest: MessagePage): Thread {
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

/** Returns the thread with an older page added, unless it was added already. */
export function withOlderMessages(known: Thread, page: MessagePage, cursor: string): Thread {
  if (known.older !== cursor) return known
  return { ...known, messages: [...page.items.toReversed(), ...known.messages], older: page.nextCursor }
}

/** Whether the plan agent has not replied yet: the newest message is from a user. */
export const isAwaitingReply = (thread: Thread | undefined) => thread?.messages.at(-1)?.role === 'user'
