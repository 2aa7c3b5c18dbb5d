import type { Scope } from './endpoint.ts'

export type Plan = 'free' | 'starter' | 'pro' | 'enterprise'
export type Role = 'owner' | 'admin' | 'member'

/** Who is calling, read with one query per request. A session holds every scope. */
export interface Caller {
  kind: 'key' | 'session'
  organizationId: string
  organizationName: string
  plan: Plan
  suspendedAt: Date | null
  /** The API key's id, or the user's. */
  actorId: string
  /** The user, or the creator of the key; null when that person is gone. */
  userId: string | null
  userName: string | null
  email: string | null
  /** Null for keys. */
  role: Role | null
  scopes: ReadonlySet<Scope>
}

/** What the organization asks of everybody who calls for it (spec, Security policy). */
export interface Policy {
  requireSso: boolean
  requireTwoFactor: boolean
  /** Null: as long as a session lives at all. */
  sessionLifetimeDays: number | null
  /** Canonical addresses and ranges; empty means anywhere. */
  allowedIps: readonly string[]
}

/** What the policy is held against when a person calls. */
export interface Session {
  id: string
  createdAt: Date
  /** The provider that vouched for the person at sign-in; null for a password. */
  ssoProviderId: string | null
  hasTwoFactor: boolean
}

/** A caller with what decides whether the call is let in; handlers see the caller only. */
export interface Identity {
  caller: Caller
  policy: Policy
  /** Null for keys. */
  session: Session | null
}
