import type { Trx } from '../db/database.ts'
import { newId } from '../lib/ids.ts'
import { EVENT_DATA, type EventData, type EventType } from './event-types.ts'

/**
 * Fires an event from inside the transaction that makes it true: commit means the event exists, rollback leaves
 * no trace. There is no other way to fire one. The stored text is the envelope every receiver gets.
 */
export async function emit<Type extends EventType>(
  trx: Trx,
  event: { type: Type; orgId: string; projectId: string; data: EventData<Type>; at: Date },
): Promise<void> {
  const id = newId('evt')
  const envelope = {
    id,
    type: event.type,
    projectId: event.projectId,
    createdAt: event.at.getTime(),
    // Parsed so that a field too many never reaches a stranger.
    data: EVENT_DATA[event.type].parse(event.data),
  }
  await trx
    .insertInto('events')
    .values({
      id,
      org_id: event.orgId,
      project_id: event.projectId,
      type: event.type,
      body: JSON.stringify(envelope),
      created_at: event.at,
    })
    .execute()
}
