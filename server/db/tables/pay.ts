export interface PayTables {
  pay_codes: PayCodesTable
  pay_key_checks: PayKeyChecksTable
  pay_products: PayProductsTable
}

export interface PayProductsTable {
  org_id: string
  project_id: string
  id: string
  name: string
  amount: number
  currency: string
  interval: 'day' | 'week' | 'month' | 'year' | null
  active: boolean
  created_at: Date
}

export interface PayCodesTable {
  org_id: string
  project_id: string
  id: string
  code: string
  percent_hundredths: number | null
  amount_off: number | null
  currency: string | null
  duration: 'once' | 'forever'
  max_redemptions: number | null
  active: boolean
  created_at: Date
}

export interface PayKeyChecksTable {
  project_id: string
  org_id: string
  mode: 'live' | 'test'
  missing: string
  checked_at: Date
}
