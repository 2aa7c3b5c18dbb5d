import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Trx } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import type { Context } from '../platform.ts'
import { conflict, invalid } from './errors.ts'

const KEPT_MS = 24 * 3_600_000
const KEY_BYTES_MAX = 255
/** A duplicate waits this long for the first request's answer. */
const WAIT_MS_MAX = 60_000
const POLL_MS = 50
/** A claim lasts 30 s in the database, so that one of a process that died goes stale; a living one renews it. */
const RENEW_MS = 10_000

/** Stores the answer in the transaction that makes it true; the handler of an idempotent endpoint calls it. */
export type Remember = (trx: Trx, data: string) => Promise<void>

interface Place {
  orgId: string
  userId: string
  path: string
  key: string
}

/** The caller's `Idempotency-Key`, or null; one that cannot be kept is refused by name. */
export function idempotencyKey(request: Request): string | null {
  const key = request.headers.get('idempotency-key')
  // Header values are bytes, one per character here.
  if (key !== null && (key.length === 0 || key.length > KEY_BYTES_MAX))
    throw invalid('Idempotency-Key', `must have 1 to ${KEY_BYTES_MAX} bytes`)
  return key
}

/**
 * Runs a request once per key, user and path: a repeat gets the stored answer, a duplicate in flight waits for it.
 * Only a success is kept; after a failure the next try runs for real. Answers the `data` of the envelope as JSON.
 */
export async function runOnce(
  ctx: Context,
  request: { path: string; key: string; body: unknown },
  run: (remember: Remember) => Promise<string>,
): Promise<string> {
  const { organizationId: orgId, userId, actorId } = ctx.caller
  const place: Place = { orgId, userId: userId ?? actorId, path: request.path, key: request.key }
  const bodyHash = hashOf(request.body)
  const claim = randomUUID()
  const deadline = performance.now() + WAIT_MS_MAX
  for (;;) {
    const found = await claimKey(ctx, place, { bodyHash, claim })
    if (found.isOurs) return runClaimed(ctx, place, claim, run)
    if (found.bodyHash !== null && found.bodyHash !== bodyHash)
      throw invalid('Idempotency-Key', 'was used before with another body')
    if (found.body !== null) return found.body
    await untilSettled(ctx, place, deadline)
  }
}

/** Waits while another request holds a living claim; only reading, since many may wait for one. */
async function untilSettled(ctx: Context, place: Place, deadline: number): Promise<void> {
  for (;;) {
    await sleep(POLL_MS)
    const running = await ctx.db
      .selectFrom('idempotency_keys')
      .select('claim')
      .where(isKey(place))
      .where('body', 'is', null)
      .where('claimed_until', '>=', sql<Date>`now()`)
      .executeTakeFirst()
    if (running === undefined) return
    if (performance.now() > deadline || ctx.signal.aborted)
      throw conflict('The first request with this Idempotency-Key is still running. Read what it made.')
  }
}

async function runClaimed(
  ctx: Context,
  place: Place,
  claim: string,
  run: (remember: Remember) => Promise<string>,
): Promise<string> {
  const renewing = setInterval(() => void renewClaim(ctx, place, claim), RENEW_MS)
  try {
    return await run((trx, data) => storeAnswer(trx, place, { claim, data, at: ctx.clock.now() }))
  } catch (error) {
    await ctx.db
      .deleteFrom('idempotency_keys')
      .where(isKey(place))
      .where('claim', '=', claim)
      .where('body', 'is', null)
      .execute()
    throw error
  } finally {
    clearInterval(renewing)
  }
}

/** Nothing is lost when it fails: an answer is stored under the claim, or not at all. */
async function renewClaim(ctx: Context, place: Place, claim: string): Promise<void> {
  await ctx.db
    .updateTable('idempotency_keys')
    .set({ claimed_until: sql<Date>`now() + interval '30 seconds'` })
    .where(isKey(place))
    .where('claim', '=', claim)
    .where('body', 'is', null)
    .execute()
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'claim of an Idempotency-Key not renewed'))
}

interface Found {
  isOurs: boolean
  /** Null also while another request's first row is not visible yet. */
  bodyHash: string | null
  body: string | null
}

/** Takes the row, unless it holds an answer that is still kept or a request that is still running. */
async function claimKey(
  ctx: Context,
  place: Place,
  mine: { bodyHash: string; claim: string },
): Promise<Found> {
  const now = ctx.clock.now()
  const { rows } = await sql<{ is_ours: boolean; body_hash: string | null; body: string | null }>`
    with ours as (
      insert into idempotency_keys
        (org_id, user_id, path, key, body_hash, claim, claimed_until, expires_at, created_at)
      values (${place.orgId}, ${place.userId}, ${place.path}, ${place.key}, ${mine.bodyHash}, ${mine.claim},
        now() + interval '30 seconds', ${new Date(now.getTime() + KEPT_MS)}, ${now})
      on conflict (org_id, user_id, path, key) do update set
        body_hash = excluded.body_hash, claim = excluded.claim, claimed_until = excluded.claimed_until,
        body = null, expires_at = excluded.expires_at, created_at = excluded.created_at
      where idempotency_keys.expires_at <= ${now}
        or (idempotency_keys.body is null and idempotency_keys.claimed_until < now())
      returning 1
    )
    select exists (select from ours) as is_ours, k.body_hash, k.body from (select) one
    left join idempotency_keys k on k.org_id = ${place.orgId} and k.user_id = ${place.userId}
      and k.path = ${place.path} and k.key = ${place.key}`.execute(ctx.db)
  const [row] = rows
  return { isOurs: row?.is_ours === true, bodyHash: row?.body_hash ?? null, body: row?.body ?? null }
}

/** Fails, and with it the whole transaction, when another request took the key over in the meantime. */
async function storeAnswer(
  trx: Trx,
  place: Place,
  answer: { claim: string; data: string; at: Date },
): Promise<void> {
  const stored = await trx
    .updateTable('idempotency_keys')
    .where(isKey(place))
    .set({ body: answer.data, expires_at: new Date(answer.at.getTime() + KEPT_MS) })
    .where('claim', '=', answer.claim)
    .executeTakeFirst()
  if (stored.numUpdatedRows !== 1n) throw conflict('Another request with this Idempotency-Key was faster.')
}

const isKey = (place: Place) => (eb: ExpressionBuilder<Schema, 'idempotency_keys'>) =>
  eb.and({ org_id: place.orgId, user_id: place.userId, path: place.path, key: place.key })

/** The validated body with sorted keys: the same request written in another order is the same request. */
function hashOf(body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(body)) ?? '')
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]))
}
