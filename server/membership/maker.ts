/** A member as the creator of keys, webhook endpoints and ingest sources, which outlive the membership. */
export interface Maker {
  orgId: string
  userId: string
}

/** What happens to a member's keys, webhook endpoints and ingest sources: they are removed, or transferred to the caller. */
export type Disposition = 'remove' | 'hand_over'
