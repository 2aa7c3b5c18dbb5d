export interface AttachmentsTables {
  attachments: AttachmentsTable
}

export interface AttachmentsTable {
  org_id: string
  project_id: string
  sha256: string
  media_type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf'
  size_bytes: number
  account_id: string
  created_at: Date
}
