import { aimDeliveries } from '../sql/webhooks.ts'
import type { Trx } from '../db/database.ts'
import { namedSql } from '../db/named-sql.ts'
import { newId } from '../lib/ids.ts'
import { EVENT_DATA, type EventData, type EventType } from './event-types.ts'

export interface NewEvent<Type extends EventType> {
  type: Type
  orgId: string
  projectId: string
  data: EventData<Type>
  at: Date
}

/** The NOTIFY channel that wakes the senders of deliveries when new ones are stored. */
export const DELIVERIES_CHANNEL = 'deliveries'

/** The parameters of `fireEvent`. */
export interface EventParams {
  eventId: string
  eventOrgId: string
  eventProjectId: string
  eventType: EventType
  eventBody: string
  eventAt: Date
}

/**
 * Returns SQL that stores an event in the same statement as the change: CTEs that insert the event once for each row
 * of `from`, and one delivery for each webhook endpoint that subscribes to it. The statement takes the parameters
 * `eventParams`, and its main query must select `NOTIFY_DELIVERIES`.
 */
export const fireEvent = (from = ''): string => `
    fired as (
      insert into events (id, org_id, project_id, type, body, created_at)
      select :eventId, :eventOrgId, :eventProjectId, :eventType, :eventBody, :eventAt::timestamptz ${from}
      returning id),
    ${aimDeliveries({ orgId: ':eventOrgId', type: ':eventType', at: ':eventAt' })}`

// Sends a notification only when deliveries were inserted, because Postgres commits transactions with a notification
// one after the other.
export const NOTIFY_DELIVERIES = `(select pg_notify('${DELIVERIES_CHANNEL}', '') from aimed limit 1)`

const FIRE_EVENT = namedSql<EventParams>(`with ${fireEvent()} select ${NOTIFY_DELIVERIES}`)

/**
 * Stores an event in the transaction of the change that it reports, so that it is delivered if and only if the change
 * is committed. A change that is one statement uses `fireEvent` instead.
 */
export async function emit<Type extends EventType>(trx: Trx, event: NewEvent<Type>): Promise<void> {
  await trx.executeQuery(FIRE_EVENT.query(eventParams(event)))
}

/** SQL that selects one event. `limit 1` keeps the planner from turning it into a join. */
export const storedEvent = (id: string, orgId: string): string =>
  `(select type, body from events e where e.id = ${id} and e.org_id = ${orgId} limit 1)`

/** Returns the values of an event's row. The body is the envelope that every receiver gets. */
export function eventParams<Type extends EventType>(event: NewEvent<Type>): EventParams {
  const id = newId('evt')
  const envelope = {
    id,
    type: event.type,
    projectId: event.projectId,
    createdAt: event.at.getTime(),
    // Parsing removes undeclared fields, so that they never leave the service.
    data: EVENT_DATA[event.type].parse(event.data),
  }
  return {
    eventId: id,
    eventOrgId: event.orgId,
    eventProjectId: event.projectId,
    eventType: event.type,
    eventBody: JSON.stringify(envelope),
    eventAt: event.at,
  }
}
