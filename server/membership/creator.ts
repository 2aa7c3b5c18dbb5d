/** A member as the creator of keys, webhook endpoints and ingest sources, which outlive the membership. */
export interface Creator {
  orgId: string
  userId: string
}

/** Whether a member's keys, webhook endpoints or ingest sources are removed, or transferred to the user who made the request. */
export type Disposition = 'remove' | 'hand_over'
