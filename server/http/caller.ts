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
