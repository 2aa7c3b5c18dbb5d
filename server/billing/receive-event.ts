import * as z from 'zod'
import { verifyStripeSignature } from '../crypto/signature.ts'
import { transact } from '../db/database.ts'
import { readBytes, withDeadline } from '../http/body.ts'
import { ApiError } from '../http/errors.ts'
import type { PlatformPorts } from '../platform.ts'
import { syncSubscriptionJob } from './sync-subscription.ts'

/** The largest event that is accepted (docs/limits.md#requests). */
const EVENT_BYTES_MAX = 1024 * 1024

const Event = z.object({
  id: z.string().max(255),
  type: z.string().regex(/^(?:customer\.subscription|checkout\.session|invoice)\./),
  data: z.object({ object: z.object({ customer: z.string() }) }),
})

/**
 * Receives a webhook event of the operator's Stripe account. Returns 200 once the event and the job for it
 * are stored together, and 204 for an event that is not about an organization's customer. A repeated event
 * starts no second job.
 */
export async function receiveEvent(
  ctx: PlatformPorts<'config' | 'jobs'>,
  request: Request,
): Promise<200 | 204 | 413> {
  const { billing } = ctx.config
  if (billing === null) throw new ApiError('not_enabled', 'Plans are not sold here.')
  const bytes = await withDeadline(readBytes(request, EVENT_BYTES_MAX))
  if (bytes === null) return 413
  const now = ctx.clock.now()
  if (!verifyStripeSignature(request.headers.get('stripe-signature'), bytes, billing.webhookSecret, now))
    throw new ApiError('unauthorized', 'The signature is missing, stale or wrong.')
  const event = readEvent(bytes)
  if (event === null) return 204
  const customerId = event.data.object.customer
  return await transact(ctx.db, async (trx) => {
    const customer = await trx
      .selectFrom('billing_customers')
      .select('org_id')
      .where('customer_id', '=', customerId)
      .executeTakeFirst()
    if (customer === undefined) return 204
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('billing_events')
      .values({ id: event.id, customer_id: customerId, created_at: now })
      .onConflict((row) => row.column('id').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 1n) await ctx.jobs.send(trx, syncSubscriptionJob, { customerId })
    return 200
  })
}

/** Parses an event. Returns null for an event that names no customer, and for text that is no JSON. */
function readEvent(bytes: Uint8Array): z.output<typeof Event> | null {
  try {
    return Event.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null
  } catch {
    return null
  }
}
