export interface IngestTables {
  ideas: IdeasTable
  ingest_sources: IngestSourcesTable
}

export interface IngestSourcesTable {
  id: string
  org_id: string
  project_id: string
  secret: string
  created_at: Date
  /** Null when the creator is unknown, or when the source belongs to the organization itself. */
  created_by: string | null
}

export interface IdeasTable {
  ticket_id: string
  org_id: string
  project_id: string
  source_id: string
  external_id: string | null
  title: string
  body: string
  url: string | null
  state: 'queued' | 'captured' | 'failed'
  attempt: number
  next_at: Date
  created_at: Date
}
