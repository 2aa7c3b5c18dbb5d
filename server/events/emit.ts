import { INSERT_DELIVERIES } from '../sql/webhooks.ts'
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

/** The values of an event's row. */
export interface EventParams {
  eventId: string
  eventOrgId: string
  eventProjectId: string
  eventType: EventType
  eventBody: string
  eventAt: Date
}

/**
 * Returns SQL that stores events in the same statement as the change that they report. The CTEs insert each row of the
 * query `events` as an event, and one delivery of the event for each webhook endpoint that subscribes to its type.
 * `events` selects the columns id, org_id, project_id, type, body and created_at (`eventParams`).
 */
export const fireEvents = (events: string): string => `
    fired as (
      insert into events (id, org_id, project_id, type, body, created_at)
      ${events}
      returning id, org_id, type, created_at),
    ${INSERT_DELIVERIES}`

/** A statement that stores one event, with the parameters `EventParams`. */
export const FIRE_EVENT_SQL = `with ${fireEvents(
  'select :eventId, :eventOrgId, :eventProjectId, :eventType, :eventBody, :eventAt::timestamptz',
)} select 1`
const FIRE_EVENT = namedSql<EventParams>(FIRE_EVENT_SQL)

/**
 * Stores an event in the transaction of the change that it reports, so that it is delivered if and only if the change
 * is committed. A change that is one statement uses `fireEvents` instead.
 */
export async function emit<Type extends EventType>(trx: Trx, event: NewEvent<Type>): Promise<void> {
  await trx.executeQuery(FIRE_EVENT.query(eventParams(event)))
}

/** SQL that selects one event. `limit 1` keeps the planner from turning this query into a join. */
export const storedEvent = (id: string, orgId: string): string =>
  `(select type, body from events e where e.id = ${id} and e.org_id = ${orgId} limit 1)`

/** Returns the values of a new event's row. The body is the envelope that every receiver gets. */
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
