import type { Plan } from '../billing/plans.ts'
import type { Scope } from './scopes.ts'

export type Role = 'owner' | 'admin' | 'member'

/** The caller, read with one query per request. A session holds every scope. */
export interface Caller {
  kind: 'key' | 'session'
  organizationId: string
  organizationName: string
  plan: Plan
  suspendedAt: Date | null
  /** The API key's id, or the user's. */
  actorId: string
  /** The user, or the creator of the key; null when that person was deleted. */
  userId: string | null
  userName: string | null
  email: string | null
  /** Null for keys. */
  role: Role | null
  scopes: ReadonlySet<Scope>
}

/**
 * What the organization requires of every caller (`PUT /security`). It is read with each request, so a change
 * takes effect at the next one.
 */
export interface Policy {
  requireSso: boolean
  requireTwoFactor: boolean
  /** Null: no limit beyond the session's own. */
  sessionLifetimeDays: number | null
  /** Canonical addresses and ranges; empty means anywhere. */
  allowedIps: readonly string[]
}

export interface Session {
  id: string
  createdAt: Date
  /** Whether the verified provider of this very organization signed the person in. */
  isThroughSso: boolean
  hasTwoFactor: boolean
}

export interface Identity {
  caller: Caller
  policy: Policy
  /** Null for keys. */
  session: Session | null
}
