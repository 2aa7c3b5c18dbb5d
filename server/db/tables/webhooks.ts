export interface WebhooksTables {
  webhook_endpoints: WebhookEndpointsTable
  deliveries: DeliveriesTable
}

export interface WebhookEndpointsTable {
  id: string
  org_id: string
  url: string
  events: string[]
  secret: string
  last_delivery_at: Date | null
  created_at: Date
  /** Null when the creator is unknown, or when the endpoint belongs to the organization itself. */
  created_by: string | null
}

export interface DeliveriesTable {
  event_id: string
  endpoint_id: string
  attempt: number
  next_at: Date
  claimed_until: Date | null
  claimed_by: number | null
}
