/** The NOTIFY channel that wakes the senders of deliveries when new deliveries are stored. */
export const DELIVERIES_CHANNEL = 'deliveries'

/**
 * The CTE `aimed` of a statement. For each event in `fired`, it stores one delivery for every endpoint of the organization that subscribes
 * to the event's type, and notifies the senders. Without a delivery it does not notify, because Postgres serializes the commits of
 * transactions that notify. Postgres sends equal notifications of a transaction once.
 */
export const INSERT_DELIVERIES = `
    aimed as (
      insert into deliveries (event_id, endpoint_id, attempt, next_at)
      select fired.id, w.id, 0, fired.created_at from fired, webhook_endpoints w
      where w.org_id = fired.org_id and w.events && array['*', fired.type]
      returning pg_notify('${DELIVERIES_CHANNEL}', ''))`

/** SQL of a condition: this event has a stored delivery. */
export const hasDelivery = (eventId: string): string =>
  `exists (select from deliveries d where d.event_id = ${eventId})`

/** SQL that selects the `ctid` of deliveries. `events` is SQL that selects the event ids of these deliveries. */
export const deliveriesOf = (events: string): string =>
  `select d.ctid from deliveries d join (${events}) e on e.id = d.event_id`
