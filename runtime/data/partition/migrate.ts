import { convertValue } from './convert.ts'
import type { Manifest, MigrationSpec, MigrationStep } from '../../kernel/manifest.ts'
import type { RecordRow } from '../frames.ts'
import type { PartitionStore } from './store.ts'

export const appliedMigrations = (store: PartitionStore): string[] =>
  JSON.parse(store.meta('migrations') ?? '[]')

/** Applies each migration of the manifest that this partition has not applied yet. */
export function migratePartition(store: PartitionStore, manifest: Manifest, now: Date): void {
  const applied = appliedMigrations(store)
  const missing = manifest.migrations.filter((migration) => !applied.includes(migration.id))
  if (missing.length === 0) return
  for (const migration of missing) {
    for (const step of migration.steps) applyStep(store, migration, step, now.toISOString())
  }
  store.setMeta('migrations', JSON.stringify([...applied, ...missing.map((migration) => migration.id)]))
}

function applyStep(store: PartitionStore, migration: MigrationSpec, step: MigrationStep, at: string): void {
  const { collection } = migration
  if (!store.collections().includes(collection)) return
  const { field } = step
  if (field !== undefined) {
    return changeRows(store, collection, at, (fields) => changeField(fields, field, step))
  }
  // Copies the collection to its new name. The old rows stay, because an older release still reads them.
  if (step.op === 'rename' && step.to !== undefined) copyCollection(store, collection, step.to, at)
}

function changeField(fields: Record<string, unknown>, field: string, step: MigrationStep): boolean {
  const value = fields[field] ?? null
  switch (step.op) {
    case 'default':
      if (value !== null) return false
      fields[field] = step.value
      return true
    case 'rename':
      // The value also stays under its old name, for an older release that still runs.
      if (step.to === undefined || Object.hasOwn(fields, step.to)) return false
      fields[step.to] = value
      return true
    case 'convert':
      fields[field] = convertValue(value, step.as ?? 'text')
      return true
    case 'drop':
      // The stored value stays: the new release no longer declares the field, and an older release still reads it.
      return false
  }
}

function changeRows(
  store: PartitionStore,
  collection: string,
  at: string,
  change: (fields: Record<string, unknown>) => boolean,
): void {
  forEachRow(store, collection, (row) => {
    const fields = JSON.parse(row.json)
    if (!change(fields)) return
    const next = { ...row, rev: row.rev + 1, json: JSON.stringify(fields) }
    store.write(collection, next)
    store.append('put', collection, next, at)
  })
}

function copyCollection(store: PartitionStore, from: string, to: string, at: string): void {
  store.ensureTable(to)
  forEachRow(store, from, (row) => {
    if (store.holds(to, row.id)) return
    store.write(to, row)
    // Pages and the directory receive the renamed record like any other change.
    store.append('put', to, row, at)
  })
}

/** Calls `use` with each row. Reads 100 rows at a time, because all rows of a collection may exceed the memory of a Durable Object. */
function forEachRow(store: PartitionStore, collection: string, use: (row: RecordRow) => void): void {
  let last = ''
  const sql = `select * from "c_${collection}" where id > ? order by id limit 100`
  for (let rows; (rows = store.run<RecordRow>(sql, last)).length > 0;)
    for (const row of rows) {
      use(row)
      last = row.id
    }
}
