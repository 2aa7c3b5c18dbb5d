import { sessionLifetimeDays } from '../security/shared-sql.ts'
import type { Needs } from '../platform.ts'
import { ensureOrganization } from './personal-organization.ts'

const DAY_MS = 86_400_000

interface NewSession {
  userId: string
  createdAt: Date
  expiresAt: Date
  /** Set when the library replaces a session, as after setting up a second factor. */
  activeOrganizationId?: string | null
}

interface Origin {
  path: string | null
  /** The session of the same request, as in a password change, which ends all sessions of the person. */
  replaced: { userId: string; activeOrganizationId?: string | null } | null
  providerId: string | null
}

/**
 * Returns the session as it is stored: its sign-in method, the organization it starts in, and an expiry
 * within that organization's session lifetime. `identify` checks the lifetime at each request too; this makes
 * the library's own routes agree.
 */
export async function stampSession<S extends NewSession>(
  platform: Needs<'config' | 'jobs'>,
  session: S,
  { path, replaced, providerId }: Origin,
) {
  const kept = replaced?.userId === session.userId ? replaced.activeOrganizationId : null
  const activeOrganizationId =
    session.activeOrganizationId ?? kept ?? (await ensureOrganization(platform, session.userId))
  const days =
    activeOrganizationId === null ? null : await sessionLifetimeDays(platform.db, activeOrganizationId)
  const latest = days === null ? Infinity : session.createdAt.getTime() + days * DAY_MS
  const expiresAt = new Date(Math.min(session.expiresAt.getTime(), latest))
  return { ...session, expiresAt, activeOrganizationId, authMethod: path, ssoProviderId: providerId }
}
