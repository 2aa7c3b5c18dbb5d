import type { Trx } from '../db/database.ts'
import type { EventsTable } from '../db/tables/events.ts'
import { newId } from '../lib/ids.ts'
import { EVENT_DATA, type EventData, type EventType } from './event-types.ts'

export interface NewEvent<Type extends EventType> {
  type: Type
  orgId: string
  projectId: string
  data: EventData<Type>
  at: Date
}

/**
 * Fires an event from inside the transaction that makes it true: commit means the event exists, rollback leaves
 * no trace. There is no other way to fire one, except to insert its row by the very statement of the change.
 */
export async function emit<Type extends EventType>(trx: Trx, event: NewEvent<Type>): Promise<void> {
  await trx.insertInto('events').values(eventRow(event)).execute()
}

/** The row of an event. Its stored text is the envelope every receiver gets. */
export function eventRow<Type extends EventType>(event: NewEvent<Type>): EventsTable {
  const id = newId('evt')
  const envelope = {
    id,
    type: event.type,
    projectId: event.projectId,
    createdAt: event.at.getTime(),
    // Parsed so that a field too many never reaches a stranger.
    data: EVENT_DATA[event.type].parse(event.data),
  }
  return {
    id,
    org_id: event.orgId,
    project_id: event.projectId,
    type: event.type,
    body: JSON.stringify(envelope),
    created_at: event.at,
  }
}
