import type { Generated } from 'kysely'

export interface MovesTables {
  moves: MovesTable
}

export interface MovesTable {
  project_id: string
  org_id: string
  from_account: string
  live_data: 'copy' | 'leave'
  state: Generated<'waiting' | 'moving' | 'removing'>
  deployment_id: string | null
  cursor: string | null
  records: Generated<number>
  files: Generated<number>
  is_held: Generated<boolean>
  problem: string | null
  updated_at: Date
  created_at: Date
}
