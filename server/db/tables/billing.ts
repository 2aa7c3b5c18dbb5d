export interface BillingTables {
  billing_customers: BillingCustomersTable
  billing_events: BillingEventsTable
}

export interface BillingCustomersTable {
  org_id: string
  customer_id: string
  plan: 'starter' | 'pro' | null
  status: string | null
  period_end: Date | null
  ends_with_period: boolean
  overdue_since: Date | null
  read_at: Date
  created_at: Date
}

export interface BillingEventsTable {
  id: string
  customer_id: string
  created_at: Date
}
