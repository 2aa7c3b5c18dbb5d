export type HistoryType =
  | 'built'
  | 'build_failed'
  | 'reverted'
  | 'shipped'
  | 'rolled_back'
  | 'renamed'
  | 'archived'
  | 'unarchived'
  | 'backed_up'

export interface VersionsTables {
  git_objects: GitObjectsTable
  git_refs: GitRefsTable
  history_events: HistoryEventsTable
  versions: VersionsTable
}

export interface GitObjectsTable {
  project_id: string
  oid: string
  type: 'blob' | 'tree' | 'commit'
  data: Buffer
  created_at: Date
}

export interface GitRefsTable {
  project_id: string
  name: string
  oid: string
  created_at: Date
}

export interface VersionsTable {
  project_id: string
  sha: string
  parent_sha: string | null
  run_id: string | null
  ticket_id: string | null
  author: string
  message: string
  files: number
  generated_by: string | null
  created_at: Date
}

export interface HistoryEventsTable {
  id: string
  org_id: string
  project_id: string
  type: HistoryType
  actor: string | null
  ticket_id: string | null
  run_id: string | null
  sha: string | null
  detail: string | null
  created_at: Date
}
