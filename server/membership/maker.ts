/** A person of an organization, as the maker of keys, webhooks and sources. */
export interface Maker {
  orgId: string
  userId: string
}

/** What becomes of a thing whose maker leaves: it is removed, or it becomes the caller's. */
export type Disposition = 'remove' | 'hand_over'
