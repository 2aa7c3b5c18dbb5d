import { USERS_AS_U } from '../sql/auth.ts'
import { type ExportedTable, listField } from '../lib/exported.ts'
import { isoTime } from '../lib/sql-json.ts'
import { type ApiKeyText, newApiKey } from '../crypto/api-key.ts'
import { type Db, transact, type Trx } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import type { ApiKeysTable } from '../db/tables/access.ts'
import { recordCallerChange } from '../activity/log.ts'
import { KEY_SCOPES, type Scope, knownScopes } from '../http/scopes.ts'
import { conflict, notFound } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { lockCallerMembership } from '../membership/lock-caller-membership.ts'
import type { Selectable } from 'kysely'
import type { CallerContext } from '../endpoint.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

/** The number of keys per organization. Expired keys count until they are revoked or purged (docs/limits.md#credentials). */
export const KEYS_MAX = 50

// New keys do not get `deploy:write` by default, so that a key that leaks from a build machine cannot change live apps.
const DEFAULT_SCOPES = KEY_SCOPES.filter((scope) => scope !== 'deploy:write')

/** Returns the organization's keys, the newest first. Expired keys are included, because they count against the limit. */
export async function listKeys(ctx: CallerContext<'db'>) {
  const rows = await ctx.db
    .selectFrom('api_keys as k')
    .leftJoin(USERS_AS_U, 'u.id', 'k.created_by')
    .select(KEY_COLUMNS)
    .select(['k.created_by', 'u.name as creator'])
    .where('k.org_id', '=', ctx.caller.organizationId)
    .orderBy('k.created_at', 'desc')
    .orderBy('k.id', 'desc')
    .execute()
  return rows.map((row) => ({
    ...presentKey(row),
    createdBy: row.created_by === null ? null : { id: row.created_by, name: row.creator ?? '' },
  }))
}

/** Returns null when the key was revoked. The returned key may have expired. */
export async function findKey(
  db: Db | Trx,
  orgId: string,
  id: string,
): Promise<Selectable<ApiKeysTable> | null> {
  const row = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** The columns of a key, without the name of its creator, which needs a join. */
export const KEY_COLUMNS = [
  'k.id',
  'k.name',
  'k.prefix',
  'k.scopes',
  'k.source',
  'k.created_at',
  'k.last_used_at',
  'k.expires_at',
] as const

type KeyRow = Pick<
  ApiKeysTable,
  'id' | 'name' | 'prefix' | 'scopes' | 'source' | 'created_at' | 'last_used_at' | 'expires_at'
>

export const presentKey = (row: KeyRow) => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  scopes: knownScopes(row.scopes),
  source: row.source,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  expiresAt: row.expires_at?.toISOString() ?? null,
})

/** Returns each wanted scope once, in the fixed order of `KEY_SCOPES`. */
export const chooseScopes = (wanted: readonly Scope[] = DEFAULT_SCOPES): Scope[] =>
  KEY_SCOPES.filter((scope) => wanted.includes(scope))

/** Creates a key. Only this response contains the text of the key, because only its hash is stored. */
export function createKey(
  ctx: CallerContext<'db' | 'clock'>,
  input: { name: string; scopes?: Scope[] | undefined; expiresInDays?: number | undefined },
) {
  const { text, hash, prefix } = newApiKey()
  const scopes = chooseScopes(input.scopes)
  const expiresAt =
    input.expiresInDays === undefined
      ? null
      : new Date(ctx.clock.now().getTime() + input.expiresInDays * DAY_MS)
  return transact(ctx.db, async (trx) => {
    await lockOrganization(trx, ctx.caller.organizationId)
    const id = await storeKey(ctx, trx, {
      name: input.name,
      hash,
      prefix,
      scopes,
      source: 'console',
      expiresAt,
    })
    return { id, prefix, key: text, scopes }
  })
}

/**
 * Stores a key of the caller's organization and returns its id. Throws 409 at the limit; call it after
 * `lockOrganization`, so that simultaneous calls cannot exceed the limit.
 */
export async function storeKey(
  ctx: CallerContext<'clock'>,
  trx: Trx,
  key: Omit<ApiKeyText, 'text'> & {
    name: string
    scopes: Scope[]
    source: 'console' | 'device'
    expiresAt: Date | null
  },
): Promise<string> {
  await lockCallerMembership(ctx, trx)
  const now = ctx.clock.now()
  const id = newId('key')
  if ((await countKeys(trx, ctx.caller.organizationId)) >= KEYS_MAX)
    throw conflict(
      `An organization holds at most ${KEYS_MAX} API keys, expired ones included: revoke one first.`,
    )
  await trx
    .insertInto('api_keys')
    .values({
      id,
      org_id: ctx.caller.organizationId,
      created_by: ctx.caller.userId,
      name: key.name,
      prefix: key.prefix,
      key_hash: key.hash,
      scopes: key.scopes,
      source: key.source,
      expires_at: key.expiresAt,
      last_used_at: null,
      created_at: now,
    })
    .execute()
  await recordKeyChange(ctx, trx, 'api_key.created', key)
  return id
}

/** Revokes a key. The next request with it is refused, because keys are not cached. */
export function revokeKey(ctx: CallerContext<'db' | 'clock'>, id: string): Promise<{ id: string }> {
  return transact(ctx.db, async (trx) => {
    const row = await trx
      .deleteFrom('api_keys')
      .where('org_id', '=', ctx.caller.organizationId)
      .where('id', '=', id)
      .returning(['name', 'prefix'])
      .executeTakeFirst()
    if (!row) throw notFound('API key')
    await recordKeyChange(ctx, trx, 'api_key.revoked', row)
    return { id }
  })
}

async function countKeys(trx: Trx, organizationId: string): Promise<number> {
  const row = await trx
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('held'))
    .where('org_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return row.held
}

export function recordKeyChange(
  ctx: CallerContext<'clock'>,
  trx: Trx,
  action: string,
  key: { name: string; prefix: string },
): Promise<void> {
  return recordCallerChange(ctx, trx, {
    action,
    target: `${key.name} (${key.prefix})`,
  })
}

/** An export has the name and the scopes of a key, but nothing that grants access. */
export const EXPORTED_KEYS: ExportedTable = {
  fields: {
    id: 'id',
    name: 'name',
    prefix: 'prefix',
    scopes: listField('scopes'),
    source: 'source',
    createdBy: 'created_by',
    createdAt: isoTime('created_at'),
    lastUsedAt: isoTime('last_used_at'),
    expiresAt: isoTime('expires_at'),
  },
  from: 'api_keys where org_id = $1 order by created_at, id',
}
