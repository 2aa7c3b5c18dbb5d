import { hashApiKey, isApiKey } from '../crypto/api-key.ts'
import { lookUp } from '../db/look-up.ts'
import type { Platform } from '../platform.ts'
import type { Caller, Plan, Role } from './caller.ts'
import { SCOPES, type Scope } from './endpoint.ts'
import { ApiError } from './errors.ts'
import { flushKeyUses, noteKeyUse } from './key-use.ts'
import { sessionToken } from './session-cookie.ts'

interface OrganizationColumns {
  org_name: string
  plan: Plan | null
  suspended_at: Date | null
  user_name: string | null
  email: string | null
}

interface KeyRow extends OrganizationColumns {
  key_hash: string
  id: string
  org_id: string
  created_by: string | null
  scopes: Scope[]
  expires_at: Date | null
}

interface SessionRow extends OrganizationColumns {
  token: string
  user_id: string
  expires_at: Date
  // Null when the user is in no organization, or no longer in the active one.
  org_id: string | null
  role: string
}

// The keys come through a subquery, because for an array it can count Postgres plans every call anew (200 us).
const keyByHash = lookUp<KeyRow>(
  'identify_key',
  `select k.key_hash, k.id, k.org_id, k.created_by, k.scopes, k.expires_at,
     o.name as org_name, s.plan, s.suspended_at, u.name as user_name, u.email
   from api_keys k
   join organization o on o.id = k.org_id
   left join organization_settings s on s.org_id = o.id
   left join "user" u on u.id = k.created_by
   where k.key_hash = any((select $1::text[])::text[])`,
  (row) => row.key_hash,
)

// The membership is read each time: the session's active organization outlives the person's place in it.
const sessionByToken = lookUp<SessionRow>(
  'identify_session',
  `select t.token, t."userId" as user_id, t."expiresAt" as expires_at, u.name as user_name, u.email,
     m.role, o.id as org_id, o.name as org_name, s.plan, s.suspended_at
   from "session" t
   join "user" u on u.id = t."userId"
   left join lateral (
     select "organizationId", role from "member"
     where "userId" = t."userId" and "organizationId" = coalesce(t."activeOrganizationId", "organizationId")
     order by "createdAt", id limit 1
   ) m on true
   left join organization o on o.id = m."organizationId"
   left join organization_settings s on s.org_id = o.id
   where t.token = any((select $1::text[])::text[])`,
  (row) => row.token,
)

const ALL_SCOPES: ReadonlySet<Scope> = new Set(SCOPES)

/**
 * Who is calling, from the `Authorization` header or else the session cookie, with one query. Nothing is cached:
 * a revoked key, an ended session and a removed member are refused at the next request.
 */
export async function identify(platform: Platform, request: Request, now: Date): Promise<Caller> {
  const authorization = request.headers.get('authorization')
  if (authorization !== null) return identifyKey(platform, authorization, now)
  const token = sessionToken(
    request.headers.get('cookie'),
    platform.config.baseUrl,
    platform.keyring.authSecrets,
  )
  if (token === null)
    throw new ApiError('unauthorized', 'Sign in, or send an API key as Authorization: Bearer svk_...')
  return identifySession(platform, token, now)
}

/** Writes what `identify` remembered and stops remembering; part of an orderly stop. */
export function closeIdentify(platform: Platform): Promise<void> {
  return flushKeyUses(platform.db)
}

async function identifyKey(platform: Platform, authorization: string, now: Date): Promise<Caller> {
  // Two headers arrive joined by a comma and fail here too.
  const text = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
  if (!isApiKey(text))
    throw new ApiError('unauthorized', 'The Authorization header carries no valid API key.')
  const row = await keyByHash(platform.pool, hashApiKey(text))
  if (!row) throw new ApiError('unauthorized', 'This API key does not exist or was revoked.')
  if (row.expires_at !== null && row.expires_at <= now)
    throw new ApiError('unauthorized', 'This API key has expired.')
  noteKeyUse(platform, row.id, now)
  return {
    ...organizationOf(platform, row, row.org_id),
    kind: 'key',
    actorId: row.id,
    userId: row.created_by,
    role: null,
    scopes: new Set(row.scopes),
  }
}

async function identifySession(platform: Platform, token: string, now: Date): Promise<Caller> {
  const row = await sessionByToken(platform.pool, token)
  if (!row || row.expires_at <= now)
    throw new ApiError('unauthorized', 'This session has ended. Sign in again.')
  if (row.org_id === null) {
    throw new ApiError('forbidden', 'You are not a member of this organization. Choose another one.')
  }
  return {
    ...organizationOf(platform, row, row.org_id),
    kind: 'session',
    actorId: row.user_id,
    userId: row.user_id,
    role: highestRole(row.role),
    scopes: ALL_SCOPES,
  }
}

function organizationOf(platform: Platform, row: OrganizationColumns, organizationId: string) {
  return {
    organizationId,
    organizationName: row.org_name,
    plan: row.plan ?? platform.config.defaultPlan,
    suspendedAt: row.suspended_at,
    userName: row.user_name,
    email: row.email,
  }
}

/** The auth library stores several roles of one member as a comma-separated list. */
function highestRole(stored: string): Role {
  const held = stored.split(',')
  return (['owner', 'admin'] as const).find((role) => held.includes(role)) ?? 'member'
}
