import type { Pool } from 'pg'
import { preparedQuery } from '../db/database.ts'
import { backoffMs } from '../lib/backoff.ts'
import type { ClaimedDelivery } from './claim.ts'

export interface DeliveryOutcome {
  eventId: string
  endpointId: string
  orgId: string
  /** The number of attempts before this one. */
  attempt: number
  claimedBy: number
  deliveredAt: Date | null
  /** The time of the next attempt; null after the last attempt. */
  nextAt: Date | null
}

/** The outcomes of several attempts, as one array for each column. */
type OutcomeColumns = { [Column in keyof DeliveryOutcome]: DeliveryOutcome[Column][] }

/** The number of retries after the first attempt (docs/limits.md#events-and-webhooks). */
const RETRIES_MAX = 5

/** Returns the outcome of an attempt that ended at `now`. The first retry follows after `baseSeconds` up to twice this time. */
export function deliveryOutcome(
  delivery: ClaimedDelivery,
  succeeded: boolean,
  { now, baseSeconds }: { now: Date; baseSeconds: number },
): DeliveryOutcome {
  const { eventId, endpointId, orgId, attempt, claimedBy } = delivery
  // The published pauses are the shortest ones. `firstMs` is the longest, so it is twice the base.
  const pauseMs = backoffMs(attempt, { firstMs: 2 * baseSeconds * 1000, jitter: 0.5 })
  const nextAt = succeeded || attempt >= RETRIES_MAX ? null : new Date(now.getTime() + pauseMs)
  return { eventId, endpointId, orgId, attempt, claimedBy, deliveredAt: succeeded ? now : null, nextAt }
}

/**
 * A success ends the delivery, whichever process has claimed it. A failure counts only for the process with the claim, so that no attempt
 * is counted twice. Endpoints are locked in the order of their ids, so that processes that store outcomes at the same time do not deadlock.
 */
const SETTLE_DELIVERIES = preparedQuery<unknown, OutcomeColumns>(
  'deliveries-settle',
  `with outcome as (
     select * from unnest(:eventId::text[], :endpointId::text[], :orgId::text[], :attempt::int[],
         :claimedBy::int[], :deliveredAt::timestamptz[], :nextAt::timestamptz[])
       as o (event_id, endpoint_id, org_id, attempt, claimed_by, delivered_at, next_at)),
   ended as (
     delete from deliveries d using outcome o
     where d.event_id = o.event_id and d.endpoint_id = o.endpoint_id and o.next_at is null
       and (o.delivered_at is not null or (d.claimed_by = o.claimed_by and d.attempt = o.attempt))),
   postponed as (
     update deliveries d
     set attempt = d.attempt + 1, next_at = o.next_at, claimed_until = null, claimed_by = null
     from outcome o
     where d.event_id = o.event_id and d.endpoint_id = o.endpoint_id and o.next_at is not null
       and d.claimed_by = o.claimed_by and d.attempt = o.attempt),
   success as (
     select org_id, endpoint_id, max(delivered_at) as at from outcome
     where delivered_at is not null group by org_id, endpoint_id),
   held as (
     select w.id, success.at from webhook_endpoints w
     join success on success.endpoint_id = w.id and success.org_id = w.org_id
     order by w.id for no key update of w)
   update webhook_endpoints w set last_delivery_at = greatest(w.last_delivery_at, held.at)
   from held where w.id = held.id`,
)

/** Stores all outcomes with one statement. */
async function settleDeliveries(pool: Pool, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  await SETTLE_DELIVERIES(pool, {
    eventId: outcomes.map((outcome) => outcome.eventId),
    endpointId: outcomes.map((outcome) => outcome.endpointId),
    orgId: outcomes.map((outcome) => outcome.orgId),
    attempt: outcomes.map((outcome) => outcome.attempt),
    claimedBy: outcomes.map((outcome) => outcome.claimedBy),
    deliveredAt: outcomes.map((outcome) => outcome.deliveredAt),
    nextAt: outcomes.map((outcome) => outcome.nextAt),
  })
}

/** The outcomes of attempts that are not stored yet. */
export class UnsettledOutcomes {
  #outcomes: DeliveryOutcome[] = []

  add(outcome: DeliveryOutcome): void {
    this.#outcomes.push(outcome)
  }

  /**
   * Stores the outcomes and returns their number. After an error, the next call stores them: if the claims of these deliveries expire
   * meanwhile, a delivery is sent twice, but none is lost.
   */
  async store(pool: Pool): Promise<number> {
    const stored = this.#outcomes
    if (stored.length === 0) return 0
    this.#outcomes = []
    try {
      await settleDeliveries(pool, stored)
    } catch (error) {
      this.#outcomes = [...stored, ...this.#outcomes]
      throw error
    }
    return stored.length
  }
}

/** Releases the claims of attempts that were aborted because this process stops. These attempts do not count. */
export async function releaseDeliveries(pool: Pool, processId: number): Promise<void> {
  await pool.query('update deliveries set claimed_until = null, claimed_by = null where claimed_by = $1', [
    processId,
  ])
}
