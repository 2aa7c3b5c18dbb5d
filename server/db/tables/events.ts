export interface EventsTables {
  activity: ActivityTable
  events: EventsTable
}

export interface EventsTable {
  id: string
  org_id: string
  project_id: string
  type: string
  body: string
  created_at: Date
}

export interface ActivityTable {
  id: string
  org_id: string
  at: Date
  provider: 'cloudflare' | 'github' | 'stripe' | 'slipway'
  actor: string
  action: string
  target: string
  status: 'ok' | 'failed'
  project_id: string | null
  project_name: string | null
  detail: string | null
  created_at: Date
}
