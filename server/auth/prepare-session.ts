import { sessionLifetimeDays } from '../statements/security/session-lifetime.ts'
import type { PlatformPorts } from '../platform.ts'
import { ensureOrganization } from './personal-organization.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

interface NewSession {
  userId: string
  createdAt: Date
  expiresAt: Date
  /** Set when the library replaces a session, for example after a second factor was set up. */
  activeOrganizationId?: string | null
}

interface SessionOrigin {
  path: string | null
  /** The session that made the request. A password change ends this session and creates a new one. */
  replaced: { userId: string; activeOrganizationId?: string | null } | null
  providerId: string | null
}

/**
 * Returns a new session as it is stored: with its sign-in method, the organization in which it starts, and an
 * expiry within that organization's session lifetime. `identify` also checks the lifetime at each request;
 * the stored expiry covers the library's own routes.
 */
export async function prepareSession<S extends NewSession>(
  platform: PlatformPorts<'config' | 'jobs'>,
  session: S,
  { path, replaced, providerId }: SessionOrigin,
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
