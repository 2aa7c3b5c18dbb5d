import type { Plan } from '../billing-plans.ts'
import type { Scope } from './scopes.ts'

export type Role = 'owner' | 'admin' | 'member'

/** The caller of a request, read with one query. A session has every scope. */
export interface Caller {
  kind: 'key' | 'session'
  organizationId: string
  organizationName: string
  plan: Plan
  suspendedAt: Date | null
  /** The id of the API key or of the user. */
  actorId: string
  /** The user, or the creator of the API key; null when that person was deleted. */
  userId: string | null
  userName: string | null
  email: string | null
  /** The role of the session's member; null for API keys. */
  role: Role | null
  scopes: ReadonlySet<Scope>
}

/**
 * The security policy of an organization (`PUT /security`), which applies to every caller. It is read with each
 * request, so a change takes effect at the next request.
 */
export interface Policy {
  requireSso: boolean
  requireTwoFactor: boolean
  /** The maximum age of a session in days; null when only the session's own expiry limits it. */
  sessionLifetimeDays: number | null
  /** Normalized IP addresses and ranges from which calls are allowed; an empty list allows every address. */
  allowedIps: readonly string[]
}

export interface CallerSession {
  id: string
  createdAt: Date
  /** True when the person signed in through the identity provider of this organization. */
  isThroughSso: boolean
  hasTwoFactor: boolean
}

export interface Identity {
  caller: Caller
  policy: Policy
  /** Null for API keys. */
  session: CallerSession | null
}
