import { deleteSession } from '../../statements/auth/delete-session.ts'
import {
  isNamed,
  SESSION_COLUMNS,
  SESSION_WITH_MEMBERSHIP,
  SESSION_WITH_MEMBERSHIPS,
} from '../../sql/auth.ts'
import { preparedQuery } from '../../db/database.ts'
import { batchedLookup } from '../../db/batched-lookup.ts'
import type { Identity, Role } from '../caller.ts'
import type { Kernel } from '../context.ts'
import { KEY_SCOPES, type Scope } from '../scopes.ts'
import { ApiError } from '../errors.ts'
import {
  ORGANIZATION_COLUMNS,
  ORGANIZATION_JOINS,
  type OrganizationColumns,
  organizationOf,
  policyOf,
} from './organization.ts'
import type { SessionCookie } from './session-cookie.ts'

interface SessionRow extends OrganizationColumns {
  token: string
  id: string
  user_id: string
  created_at: Date
  expires_at: Date
  through_sso: boolean
  two_factor: boolean | null
  // Null when the user is in no organization, or no longer a member of the active organization.
  org_id: string | null
  role: string | null
}

const sessionByToken = batchedLookup<SessionRow>(
  'identify_session',
  `select ${SESSION_COLUMNS}, ${ORGANIZATION_COLUMNS}
   from ${SESSION_WITH_MEMBERSHIP}
   ${ORGANIZATION_JOINS}
   where t.token = any((select :keys::text[])::text[])`,
  (row) => row.token,
)

const membershipsByName = preparedQuery<
  SessionRow & { org_id: string },
  { token: string; names: readonly string[] }
>(
  'identify_memberships',
  `select ${SESSION_COLUMNS}, ${ORGANIZATION_COLUMNS}
   from ${SESSION_WITH_MEMBERSHIPS}
   ${ORGANIZATION_JOINS}
   where t.token = :token
     and (o.id = t."activeOrganizationId" or ${isNamed(':names::text[]')})`,
)

const ALL_SCOPES: ReadonlySet<Scope> = new Set(KEY_SCOPES)

/**
 * Returns the caller of the first cookie whose session has not ended. The caller acts in the active organization of
 * the session, or else in the organization that the person joined first. Throws 401 when all sessions have ended.
 * Throws 403 for a person without an organization, unless `withoutOrganization` is set.
 */
export async function identifySession(
  platform: Kernel,
  cookies: readonly SessionCookie[],
  now: Date,
  { withoutOrganization = false }: { withoutOrganization?: boolean | undefined } = {},
): Promise<Identity> {
  const row = (await readSessions(platform, cookies, now))[0]?.row
  if (row === undefined) throw sessionEnded()
  if (row.org_id === null && !withoutOrganization)
    throw new ApiError('forbidden', 'You are not a member of this organization. Choose another one.')
  return identityOf(platform, row, row.org_id ?? '')
}

/**
 * Returns the first cookie whose session has not ended, or null. A single cookie is returned without a query, because
 * there is nothing to choose. Its session may have ended.
 */
export async function chooseSession(
  platform: Kernel,
  cookies: readonly SessionCookie[],
): Promise<SessionCookie | null> {
  if (cookies.length <= 1) return cookies[0] ?? null
  return (await readSessions(platform, cookies, platform.clock.now()))[0]?.cookie ?? null
}

/**
 * Returns the sessions of these cookies that have not ended, in the order of the cookies, with one statement.
 * Deletes expired sessions.
 */
async function readSessions(platform: Kernel, cookies: readonly SessionCookie[], now: Date) {
  const found = await Promise.all(
    cookies.map(async (cookie) => ({ cookie, row: await sessionByToken(platform.pool, cookie.token) })),
  )
  const living: { cookie: SessionCookie; row: SessionRow }[] = []
  for (const { cookie, row } of found) {
    if (row === undefined) continue
    if (row.expires_at > now) living.push({ cookie, row })
    else await deleteSession(platform.db, row.id)
  }
  return living
}

/**
 * Returns the memberships of the session's user in the active organization and in the organizations in `names`. A name is
 * the id or the slug of an organization, or the id of an invitation to it.
 */
export async function identifyMemberships(
  platform: Kernel,
  token: string,
  names: readonly string[],
): Promise<Identity[]> {
  const rows = await membershipsByName(platform.pool, { token, names })
  return rows.map((row) => identityOf(platform, row, row.org_id))
}

const sessionEnded = () => new ApiError('unauthorized', 'This session has ended. Sign in again.')

function identityOf(platform: Kernel, row: SessionRow, organizationId: string): Identity {
  return {
    caller: {
      ...organizationOf(platform, row, organizationId),
      kind: 'session',
      actorId: row.user_id,
      userId: row.user_id,
      role: highestRole(row.role ?? ''),
      scopes: ALL_SCOPES,
    },
    policy: policyOf(row),
    session: {
      id: row.id,
      createdAt: row.created_at,
      isThroughSso: row.through_sso,
      hasTwoFactor: row.two_factor ?? false,
    },
  }
}

/** The auth library stores several roles of a member as a comma-separated list. */
function highestRole(stored: string): Role {
  const held = stored.split(',')
  return (['owner', 'admin'] as const).find((role) => held.includes(role)) ?? 'member'
}
