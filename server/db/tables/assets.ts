export interface AssetsTables {
  asset_uploads: AssetUploadsTable
  assets: AssetsTable
}

export interface AssetsTable {
  org_id: string
  project_id: string
  path: string
  name: string
  size_bytes: number
  content_type: string
  access: JsonText<StoredAccess>
  is_stamped: boolean
  account_id: string
  stored_at: Date
  updated_at: Date
  created_at: Date
}

export type StoredAccess = { kind: 'public' } | { kind: 'members' } | { kind: 'product'; productId: string }

export interface AssetUploadsTable {
  id: string
  org_id: string
  project_id: string
  path: string
  account_id: string
  expires_at: Date
  finalized_at: Date | null
  created_at: Date
}
