import type { Pool } from 'pg'
import { preparedQuery } from '../db/database.ts'
import { storedEvent } from '../events/emit.ts'
import { processHasEnded } from '../jobs/presence.ts'

/** A delivery that only this process may attempt until its claim expires. */
export interface ClaimedDelivery {
  eventId: string
  endpointId: string
  orgId: string
  /** The number of attempts before this one. */
  attempt: number
  type: string
  body: string
  url: string
  /** The signing secret, encrypted for the endpoint's row. */
  secret: string
  claimedBy: number
}

interface DueOptions {
  /** The search begins after the endpoint with this id. */
  after: string
  now: Date
  /** JSON with the number of further deliveries that may start now, by endpoint id. */
  known: string
  /** The number of further deliveries that may start now for each endpoint that is not in `known`. */
  others: number
  limit: number
  processId: number
}

/** A claim lasts longer than an attempt takes, including storing its outcome. When the claim expires, its process counts as dead. */
const CLAIM_SECONDS = 60

/**
 * Claims endpoint by endpoint. `waiting` jumps along the index from one endpoint with deliveries to the next and reads no further than the
 * limit. The backlog of an endpoint without free slots is therefore never scanned. The endpoints of the claimed rows are looked up one by
 * one, because a claim has few rows; `limit 1` keeps the planner from joining the tables instead.
 */
const CLAIM_DELIVERIES = preparedQuery<ClaimedDelivery, DueOptions>(
  'deliveries-claim',
  `with recursive waiting as (
     (select endpoint_id as id from deliveries where endpoint_id > :after order by endpoint_id limit 1)
     union all
     select (select d.endpoint_id from deliveries d where d.endpoint_id > waiting.id
       order by d.endpoint_id limit 1)
     from waiting where waiting.id is not null),
   due as (
     select mine.place from waiting cross join lateral (
       select d.ctid as place from deliveries d
       where d.endpoint_id = waiting.id and d.next_at <= :now
         and (d.claimed_until is null or d.claimed_until <= now())
         and exists (select from webhook_endpoints w where w.id = waiting.id)
       order by d.next_at
       limit coalesce((:known::jsonb ->> waiting.id)::int, :others)
       for update of d skip locked) mine
     limit :limit),
   claimed as (
     update deliveries set claimed_until = now() + interval '${CLAIM_SECONDS} seconds', claimed_by = :processId
     where ctid = any(array(select place from due))
     returning event_id, endpoint_id, attempt, claimed_by)
   select c.event_id as "eventId", c.endpoint_id as "endpointId", w.org_id as "orgId", c.attempt,
     c.claimed_by as "claimedBy", e.type, e.body, w.url, w.secret
   from claimed c
   cross join lateral (select * from webhook_endpoints w where w.id = c.endpoint_id limit 1) w
   cross join lateral ${storedEvent('c.event_id', 'w.org_id')} e`,
)

/**
 * Claims due deliveries in the order of endpoint ids, starting after the endpoint `after`. `budget` limits the number for each endpoint.
 */
export function claimDeliveries(
  pool: Pool,
  options: {
    after: string
    now: Date
    budget: { known: Record<string, number>; others: number }
    limit: number
    processId: number
  },
): Promise<ClaimedDelivery[]> {
  const { after, now, budget, limit, processId } = options
  return CLAIM_DELIVERIES(pool, {
    after,
    now,
    known: JSON.stringify(budget.known),
    others: budget.others,
    limit,
    processId,
  })
}

/** Releases the claims of dead processes, so that their deliveries do not wait until the claims expire. */
export async function releaseClaimsOfDeadProcesses(pool: Pool): Promise<void> {
  await pool.query(
    `update deliveries set claimed_until = null, claimed_by = null
     where claimed_by is not null and ${processHasEnded('claimed_by')}`,
  )
}
