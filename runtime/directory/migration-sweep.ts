import type { Alarms } from '../kernel/alarms.ts'
import type { Hold } from '../kernel/hold.ts'
import type { Manifest } from '../kernel/manifest.ts'
import type { Backlog } from './backlog.ts'

/** Partitions of one alarm (`docs/limits.md`): each is an object that may have to start. */
const AT_ONCE = 20
/**
 * After a failure, and while the data is copied to another account. Not the time after which `Alarms` repeats a handler:
 * an alarm set for that very moment counts as done.
 */
const PAUSE_MS = 60_000

interface SweepParts {
  backlog: Backlog
  alarms: Alarms
  hold: Hold
  /** Migrates a partition; returns the ids of all migrations it has applied, or null while it takes no changes. */
  migrate(partition: string, hash: string, manifest: Manifest): Promise<string[] | null>
  report(error: unknown): void
}

/**
 * Applies the migrations of a release to the partitions that are not opened, so that lists and searches of the operator
 * show one shape. What is left is a table, so an object that ends in between continues with its next alarm.
 */
export class MigrationSweep {
  readonly #parts: SweepParts

  constructor(parts: SweepParts) {
    this.#parts = parts
  }

  start(): void {
    if (this.#parts.backlog.next(1).length > 0) this.#parts.alarms.set('migrations', Date.now())
  }

  /** Migrates the next partitions, and sets another alarm while there are more. */
  async wake(): Promise<void> {
    const { backlog, alarms, hold } = this.#parts
    const target = backlog.target()
    const partitions = backlog.next(AT_ONCE)
    if (target === null || partitions.length === 0) return
    if (hold.isHeld) {
      alarms.set('migrations', Date.now() + PAUSE_MS)
      return
    }
    const ends = await Promise.all(
      partitions.map((partition) => this.#migrate(partition, target.hash, target.manifest)),
    )
    if (backlog.next(1).length === 0) return
    alarms.set('migrations', Date.now() + (ends.every(Boolean) ? 0 : PAUSE_MS))
  }

  /** Returns false for a partition that has to be tried again. */
  async #migrate(partition: string, hash: string, manifest: Manifest): Promise<boolean> {
    const { backlog, migrate, report } = this.#parts
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
