import { type RawBuilder, sql } from 'kysely'

/**
 * The part `aimed` of a statement: stores one delivery of each event in `fired` for every endpoint of the
 * organization that is subscribed to its type. All are placeholders.
 */
export const aimDeliveries = ({ orgId, type, at }: { orgId: string; type: string; at: string }): string => `
    aimed as (
      insert into deliveries (event_id, endpoint_id, attempt, next_at)
      select fired.id, w.id, 0, ${at}::timestamptz from fired, webhook_endpoints w
      where w.org_id = ${orgId} and w.events && array['*', ${type}::text] returning event_id)`

/** SQL of a condition: a delivery of this event is stored. */
export const hasDelivery = (eventId: string): string =>
  `exists (select from deliveries d where d.event_id = ${eventId})`

/** At most `limit`: the caller repeats until none is left, so that no statement takes long. */
export const deleteStrays = (limit: number): RawBuilder<unknown> => sql`
  delete from deliveries where ctid = any(array(
    select d.ctid from deliveries d
    where not exists (select from webhook_endpoints w where w.id = d.endpoint_id)
    limit ${limit}))`

/** Selects the `ctid` of the deliveries of the events whose ids `events` selects. */
export const deliveriesOf = (events: string): string =>
  `select d.ctid from deliveries d join (${events}) e on e.id = d.event_id`
