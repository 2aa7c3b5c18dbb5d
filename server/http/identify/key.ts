import { joinOrganization, joinPerson } from '../../sql/auth.ts'
import { recordKeyUse } from '../../statements/keys/key-use.ts'
import { keysByHash } from '../../sql/keys.ts'
import { hashApiKey, isApiKey } from '../../crypto/api-key.ts'
import { batchedLookup } from '../../db/batched-lookup.ts'
import type { Identity } from '../caller.ts'
import type { Kernel } from '../context.ts'
import type { Scope } from '../scopes.ts'
import { ApiError } from '../errors.ts'
import {
  ORGANIZATION_COLUMNS,
  ORGANIZATION_JOINS,
  type OrganizationColumns,
  organizationOf,
  policyOf,
} from './organization.ts'

interface KeyRow extends OrganizationColumns {
  key_hash: string
  id: string
  org_id: string
  created_by: string | null
  scopes: Scope[]
  expires_at: Date | null
}

// The subquery around the parameter hides the length of the array from the planner. If Postgres knew the length, it
// would not reuse its plan and would spend 200 us on a new plan for every call.
const keyByHash = batchedLookup<KeyRow>(
  'identify_key',
  `select k.*, ${ORGANIZATION_COLUMNS}
   from ${keysByHash('(select :keys::text[])::text[]')}
   ${joinOrganization('k.org_id')}
   ${ORGANIZATION_JOINS}
   ${joinPerson('k.created_by')}`,
  (row) => row.key_hash,
)

/** Throws 401 unless the header has a valid API key. Queries the database only for text in the form of a key. */
export async function identifyKey(platform: Kernel, authorization: string, now: Date): Promise<Identity> {
  // Two `Authorization` headers arrive as one value joined by a comma, which does not have the form of a key.
  const text = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
  if (!isApiKey(text))
    throw new ApiError('unauthorized', 'The Authorization header carries no valid API key.')
  const row = await keyByHash(platform.pool, hashApiKey(text))
  if (!row) throw new ApiError('unauthorized', 'This API key does not exist or was revoked.')
  if (row.expires_at !== null && row.expires_at <= now)
    throw new ApiError('unauthorized', 'This API key has expired.')
  recordKeyUse(platform, row.id, now)
  const caller = {
    ...organizationOf(platform, row, row.org_id),
    kind: 'key' as const,
    actorId: row.id,
    userId: row.created_by,
    role: null,
    scopes: new Set(row.scopes),
  }
  return { caller, policy: policyOf(row), session: null }
}
