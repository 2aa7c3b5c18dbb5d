import type { Generated, GeneratedAlways } from 'kysely'

export interface OperationsTables {
  build_pause: BuildPauseTable
  processes: ProcessesTable
  scheduled_tasks: ScheduledTasksTable
  schema_migrations: SchemaMigrationsTable
}

export interface BuildPauseTable {
  id: Generated<number>
  reason: string
  created_at: Date
}

export interface ProcessesTable {
  id: GeneratedAlways<number>
  role: string
  host: string
  seen_at: Date
  version: string
  created_at: Date
}

export interface ScheduledTasksTable {
  name: string
  slot_at: Date
  created_at: Date
}

/** The applied migrations. Only the migration runner writes this table. */
export interface SchemaMigrationsTable {
  number: number
  name: string
  sha256: string
  applied_at: Generated<Date>
  took_ms: number
}
