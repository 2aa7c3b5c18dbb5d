export interface AccountTables {
  deletion_runs: DeletionRunsTable
}

export interface DeletionRunsTable {
  user_id: string
  spent_ms: number
  cleared: number
  created_at: Date
}
