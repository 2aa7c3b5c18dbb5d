/** A member who created keys, webhooks or sources, which outlive the membership. */
export interface Maker {
  orgId: string
  userId: string
}

/** What happens to a member's belongings when they leave: removed, or transferred to the caller. */
export type Disposition = 'remove' | 'hand_over'
