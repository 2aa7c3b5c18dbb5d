export interface DeviceTables {
  device_grants: DeviceGrantsTable
}

export interface DeviceGrantsTable {
  device_hash: string
  user_code: string
  name: string
  scopes: string[]
  status: 'pending' | 'approved' | 'denied' | 'collected'
  kid: string
  key_hash: string
  prefix: string
  address: string
  org_id: string | null
  approved_by: string | null
  api_key_id: string | null
  interval_seconds: number
  last_polled_at: Date | null
  expires_at: Date
  created_at: Date
}
