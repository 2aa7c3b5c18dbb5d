import type { SyncStorage } from 'cloudflare:workers'
import { addColumns } from '../kernel/objects/columns.ts'
import type { Manifest } from '../kernel/manifest.ts'
import { type RunSql, sqlRunner } from '../kernel/objects/sql.ts'
import type { JsonText } from '../kernel/json-text.ts'

/**
 * The maximum number of attempts to migrate a partition. When the next release with migrations is activated,
 * the count starts at zero again.
 */
const ATTEMPTS_MAX = 5

/** `migrations` is null for a partition that has applied no migration. */
interface AppliedMigrations {
  migrations: JsonText<string[]> | null
}

/**
 * The partitions that have not applied the newest release's migrations. Each partition sends its applied migrations with every batch of its
 * log, so a partition that was used since the release needs no call.
 */
export class Backlog {
  readonly #runSql: RunSql
  readonly #manifestOf: (hash: string) => Manifest | null

  constructor(storage: SyncStorage, manifestOf: (hash: string) => Manifest | null) {
    this.#runSql = sqlRunner(storage)
    this.#manifestOf = manifestOf
    addColumns(storage, 'applied', { migrations: 'text' })
    this.#runSql(
      'create table if not exists backlog (partition text primary key, failures integer not null) without rowid',
    )
    this.#runSql('create index if not exists backlog_failures on backlog (failures, partition)')
  }

  /** Returns the release to migrate to, with the ids of its migrations; null before the first release that has migrations. */
  target(): { hash: string; manifest: Manifest; ids: string[] } | null {
    const sql = "select value from _meta where key = 'migrating'"
    const hash = this.#runSql<{ value: string }>(sql)[0]?.value
    const manifest = hash === undefined ? null : this.#manifestOf(hash)
    if (hash === undefined || manifest === null) return null
    return { hash, manifest, ids: manifest.migrations.map(({ id }) => id) }
  }

  /**
   * Called when a release becomes active. Makes the release the target when it has a migration that the current target lacks. An older
   * release never has such a migration. Adds every partition that lacks one of the target's migrations to the list.
   */
  plan(hash: string, manifest: Manifest): void {
    const known = this.target()?.ids ?? []
    if (manifest.migrations.some(({ id }) => !known.includes(id)))
      this.#runSql("insert or replace into _meta values ('migrating', ?)", hash)
    const ids = this.target()?.ids ?? []
    if (ids.length === 0) return
    for (const { migrations } of this.#runSql<AppliedMigrations>('select distinct migrations from applied')) {
      if (!lacksMigration(migrations, ids)) continue
      this.#runSql(
        `insert into backlog select partition, 0 from applied where migrations is ?
         on conflict (partition) do update set failures = 0`,
        migrations,
      )
    }
  }

  note(partition: string, migrations: JsonText<string[]>): void {
    this.#runSql(
      'update applied set migrations = ? where partition = ? and migrations is not ?',
      migrations,
      partition,
      migrations,
    )
  }

  /**
   * Returns the next partitions to migrate: partitions with the fewest failed attempts first. Removes partitions that are up to date from
   * the list.
   */
  next(limit: number): string[] {
    const ids = this.target()?.ids ?? []
    for (;;) {
      const listed = this.#runSql<AppliedMigrations & { partition: string; there: string | null }>(
        `select b.partition, a.partition as there, a.migrations from backlog b
         left join applied a on a.partition = b.partition
         where b.failures < ? order by b.failures, b.partition limit ?`,
        ATTEMPTS_MAX,
        limit,
      )
      const behind: string[] = []
      for (const { partition, there, migrations } of listed)
        if (there !== null && lacksMigration(migrations, ids)) behind.push(partition)
        else this.forget(partition)
      if (behind.length > 0 || listed.length === 0) return behind
    }
  }

  /** Stores which migrations a partition has applied. Removes the partition from the list unless a newer target has further migrations. */
  done(partition: string, migrations: string[]): void {
    const text = JSON.stringify(migrations)
    this.note(partition, text)
    if (!lacksMigration(text, this.target()?.ids ?? [])) this.forget(partition)
  }

  failed(partition: string): void {
    this.#runSql('update backlog set failures = failures + 1 where partition = ?', partition)
  }

  forget(partition: string): void {
    this.#runSql('delete from backlog where partition = ?', partition)
  }
}

function lacksMigration(migrations: AppliedMigrations['migrations'], ids: readonly string[]): boolean {
  const applied: readonly string[] = JSON.parse(migrations ?? '[]')
  return ids.some((id) => !applied.includes(id))
}
