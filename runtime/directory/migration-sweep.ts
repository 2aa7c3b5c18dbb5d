import type { Alarms } from '../kernel/objects/alarms.ts'
import type { Hold } from '../kernel/objects/hold.ts'
import type { Manifest } from '../kernel/manifest.ts'
import type { Backlog } from './backlog.ts'

/**
 * The maximum number of partitions to migrate per alarm (`docs/limits.md`). Each is a Durable Object that may
 * have to start first.
 */
const PARTITIONS_PER_ALARM = 20
/** The pause after a failure, and while the data is copied to another cloud account. */
const SWEEP_PAUSE_MS = 60_000

interface SweepDeps {
  backlog: Backlog
  alarms: Alarms
  hold: Hold
  /** Migrates a partition. Returns the ids of all migrations that the partition has applied; null while it rejects changes. */
  migrate(partition: string, hash: string, manifest: Manifest): Promise<string[] | null>
  report(error: unknown): void
}

/**
 * Applies a release's migrations to partitions that are not in use, so that the operator's lists and searches show records of one format.
 * The remaining work is stored in a table, so after an interruption the next alarm continues.
 */
export class MigrationSweep {
  readonly #deps: SweepDeps

  constructor(deps: SweepDeps) {
    this.#deps = deps
  }

  start(): void {
    if (this.#deps.backlog.next(1).length > 0) this.#deps.alarms.set('migrations', Date.now())
  }

  /** Migrates the next partitions, and sets another alarm while more remain. */
  async wake(): Promise<void> {
    const { backlog, alarms, hold } = this.#deps
    const target = backlog.target()
    const partitions = backlog.next(PARTITIONS_PER_ALARM)
    if (target === null || partitions.length === 0) return
    if (hold.isHeld) {
      alarms.set('migrations', Date.now() + SWEEP_PAUSE_MS)
      return
    }
    const ends = await Promise.all(
      partitions.map((partition) => this.#migratePartition(partition, target.hash, target.manifest)),
    )
    if (backlog.next(1).length === 0) return
    alarms.set('migrations', Date.now() + (ends.every(Boolean) ? 0 : SWEEP_PAUSE_MS))
  }

  /** Returns false when the partition must be retried. */
  async #migratePartition(partition: string, hash: string, manifest: Manifest): Promise<boolean> {
    const { backlog, migrate, report } = this.#deps
    try {
      const applied = await migrate(partition, hash, manifest)
      if (applied === null) return false
      backlog.done(partition, applied)
      return true
    } catch (error) {
      report(error)
      backlog.failed(partition)
      return false
    }
  }
}
