import { aimDeliveries } from '../webhooks/shared-sql.ts'
import { CompiledQuery } from 'kysely'
import type { Trx } from '../db/database.ts'
import { newId } from '../lib/ids.ts'
import { EVENT_DATA, type EventData, type EventType } from './event-types.ts'

export interface NewEvent<Type extends EventType> {
  type: Type
  orgId: string
  projectId: string
  data: EventData<Type>
  at: Date
}

/** Wakes the relays; notified when deliveries were stored. */
export const DELIVERIES_CHANNEL = 'deliveries'

/**
 * SQL that fires an event in the statement that makes the change: CTEs that store the event once per row of
 * `from` and one delivery per subscribed endpoint. `columns` are placeholders, in the order of `eventValues`.
 * The main query must select `NOTIFY_DELIVERIES`.
 */
export function fireEvent(columns: readonly [string, string, string, string, string, string], from = '') {
  const [id, orgId, projectId, type, body, at] = columns
  return `
    fired as (
      insert into events (id, org_id, project_id, type, body, created_at)
      select ${id}, ${orgId}, ${projectId}, ${type}, ${body}, ${at}::timestamptz ${from} returning id),
    ${aimDeliveries({ orgId, type, at })}`
}

// Commits that notify wait for each other, so only an event with at least one delivery notifies.
export const NOTIFY_DELIVERIES = `(select pg_notify('${DELIVERIES_CHANNEL}', '') from aimed limit 1)`

const FIRE = `with ${fireEvent(['$1', '$2', '$3', '$4', '$5', '$6'])} select ${NOTIFY_DELIVERIES}`

/**
 * Fires an event inside the transaction of its change: after a commit it exists and will be delivered, after
 * a rollback there is no trace. The only other way to fire one is in the statement of the change
 * (`fireEvent`).
 */
export async function emit<Type extends EventType>(trx: Trx, event: NewEvent<Type>): Promise<void> {
  await trx.executeQuery(CompiledQuery.raw(FIRE, eventValues(event)))
}

/** Selects one event; `limit 1` keeps the planner from joining. */
export const storedEvent = (id: string, orgId: string): string =>
  `(select type, body from events e where e.id = ${id} and e.org_id = ${orgId} limit 1)`

/**
 * The values of an event's row, in the order of `fireEvent`. The body is the envelope every receiver gets.
 */
export function eventValues<Type extends EventType>(event: NewEvent<Type>): unknown[] {
  const id = newId('evt')
  const envelope = {
    id,
    type: event.type,
    projectId: event.projectId,
    createdAt: event.at.getTime(),
    // Parsed, so that undeclared fields never leave the service.
    data: EVENT_DATA[event.type].parse(event.data),
  }
  return [id, event.orgId, event.projectId, event.type, JSON.stringify(envelope), event.at]
}
