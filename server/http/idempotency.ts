import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Core } from '../core.ts'
import type { Trx } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import type { CallerFields, RememberResponse } from './context.ts'
import { conflict, invalid } from './errors.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

const RETENTION_MS = DAY_MS
const KEY_BYTES_MAX = 255
/** The longest time that a duplicate waits for the response to the first request. */
const WAIT_MS_MAX = 60_000
const POLL_MS = 50
/** A claim in the database lasts 30 s, so that the claim of a dead process expires. A running request renews its claim. */
const RENEW_MS = 10_000

interface RequestKey {
  orgId: string
  userId: string
  path: string
  key: string
}

/**
 * Returns the caller's `Idempotency-Key`, or null when there is none. Throws a 400 naming the header for a
 * key that cannot be stored.
 */
export function idempotencyKey(request: Request): string | null {
  const key = request.headers.get('idempotency-key')
  // Node decodes a header value with one character per byte, so `length` is the number of bytes.
  if (key !== null && (key.length === 0 || key.length > KEY_BYTES_MAX))
    throw invalid('Idempotency-Key', `must have 1 to ${KEY_BYTES_MAX} bytes`)
  return key
}

/**
 * Runs a request once per key, user and path. A repeated request gets the stored response; a simultaneous
 * duplicate waits for it. Only a success is stored: after a failure the next request runs. Returns the `data`
 * of the response as JSON.
 */
export async function runOnce(
  ctx: Core & CallerFields,
  request: { path: string; key: string; body: unknown },
  run: (remember: RememberResponse) => Promise<string>,
): Promise<string> {
  const { organizationId: orgId, userId, actorId } = ctx.caller
  const requestKey: RequestKey = { orgId, userId: userId ?? actorId, path: request.path, key: request.key }
  const bodyHash = hashBody(request.body)
  const claim = randomUUID()
  const deadline = performance.now() + WAIT_MS_MAX
  for (;;) {
    const found = await claimKey(ctx, requestKey, { bodyHash, claim })
    if (found.isOurs) return runWithClaim(ctx, requestKey, claim, run)
    if (found.bodyHash !== null && found.bodyHash !== bodyHash)
      throw invalid('Idempotency-Key', 'was used before with another body')
    if (found.body !== null) return found.body
    await untilSettled(ctx, requestKey, deadline)
  }
}

/** Polls while another request has a claim that has not expired. A lock would occupy one connection for each waiting request. */
async function untilSettled(
  ctx: Core & CallerFields,
  requestKey: RequestKey,
  deadline: number,
): Promise<void> {
  for (;;) {
    await sleep(POLL_MS)
    const running = await ctx.db
      .selectFrom('idempotency_keys')
      .select('claim')
      .where(isKey(requestKey))
      .where('body', 'is', null)
      .where('claimed_until', '>=', sql<Date>`now()`)
      .executeTakeFirst()
    if (running === undefined) return
    if (performance.now() > deadline || ctx.signal.aborted)
      throw conflict('The first request with this Idempotency-Key is still running. Read what it made.')
  }
}

async function runWithClaim(
  ctx: Core,
  requestKey: RequestKey,
  claim: string,
  run: (remember: RememberResponse) => Promise<string>,
): Promise<string> {
  const renewing = setInterval(() => void renewClaim(ctx, requestKey, claim), RENEW_MS)
  try {
    return await run((trx, data) => storeResponse(trx, requestKey, { claim, data, at: ctx.clock.now() }))
  } catch (error) {
    await ctx.db
      .deleteFrom('idempotency_keys')
      .where(isKey(requestKey))
      .where('claim', '=', claim)
      .where('body', 'is', null)
      .execute()
    throw error
  } finally {
    clearInterval(renewing)
  }
}

/**
 * A failed renewal is only logged. Once the claim has expired, a retry may claim the key. `storeResponse` then rolls back
 * this request, so its changes are not made twice.
 */
async function renewClaim(ctx: Core, requestKey: RequestKey, claim: string): Promise<void> {
  await ctx.db
    .updateTable('idempotency_keys')
    .set({ claimed_until: sql<Date>`now() + interval '30 seconds'` })
    .where(isKey(requestKey))
    .where('claim', '=', claim)
    .where('body', 'is', null)
    .execute()
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'claim of an Idempotency-Key not renewed'))
}

interface FoundClaim {
  isOurs: boolean
  /** Null when there is no row, or when another request has just inserted it and this statement cannot see it yet. */
  bodyHash: string | null
  body: string | null
}

/**
 * Claims the row, unless it has a stored response or belongs to a running request. Claims expire by the clock
 * of the database, which all processes share.
 */
async function claimKey(
  ctx: Core,
  requestKey: RequestKey,
  mine: { bodyHash: string; claim: string },
): Promise<FoundClaim> {
  const now = ctx.clock.now()
  const { rows } = await sql<{ is_ours: boolean; body_hash: string | null; body: string | null }>`
    with ours as (
      insert into idempotency_keys
        (org_id, user_id, path, key, body_hash, claim, claimed_until, expires_at, created_at)
      values (${requestKey.orgId}, ${requestKey.userId}, ${requestKey.path}, ${requestKey.key}, ${mine.bodyHash}, ${mine.claim},
        now() + interval '30 seconds', ${new Date(now.getTime() + RETENTION_MS)}, ${now})
      on conflict (org_id, user_id, path, key) do update set
        body_hash = excluded.body_hash, claim = excluded.claim, claimed_until = excluded.claimed_until,
        body = null, expires_at = excluded.expires_at, created_at = excluded.created_at
      where idempotency_keys.expires_at <= ${now}
        or (idempotency_keys.body is null and idempotency_keys.claimed_until < now())
      returning 1
    )
    select exists (select from ours) as is_ours, k.body_hash, k.body from (select) one
    left join idempotency_keys k on k.org_id = ${requestKey.orgId} and k.user_id = ${requestKey.userId}
      and k.path = ${requestKey.path} and k.key = ${requestKey.key}`.execute(ctx.db)
  const [row] = rows
  return { isOurs: row?.is_ours === true, bodyHash: row?.body_hash ?? null, body: row?.body ?? null }
}

/** Stores the response. Throws when another request has taken over the key, so that the transaction is rolled back. */
async function storeResponse(
  trx: Trx,
  requestKey: RequestKey,
  response: { claim: string; data: string; at: Date },
): Promise<void> {
  const stored = await trx
    .updateTable('idempotency_keys')
    .where(isKey(requestKey))
    .set({ body: response.data, expires_at: new Date(response.at.getTime() + RETENTION_MS) })
    .where('claim', '=', response.claim)
    .executeTakeFirst()
  if (stored.numUpdatedRows !== 1n) throw conflict('Another request with this Idempotency-Key was faster.')
}

const isKey = (requestKey: RequestKey) => (eb: ExpressionBuilder<Schema, 'idempotency_keys'>) =>
  eb.and({ org_id: requestKey.orgId, user_id: requestKey.userId, path: requestKey.path, key: requestKey.key })

/** Hashes the validated body with sorted keys, so that the order of fields does not matter. */
function hashBody(body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(body)) ?? '')
    .digest('hex')
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]))
}
