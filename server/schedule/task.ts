import type { Core } from '../core.ts'

export type Period = 'minute' | '10 minutes' | 'hour' | 'night'

/**
 * Scheduled housekeeping that runs in one process at a time; each folder exports its own. `Given` is what it
 * needs of the platform.
 */
export interface ScheduledTask<Given = Core> {
  /** Unique among all tasks and never changed: the database knows by it when the task last ran. */
  name: string
  /** `night`: once a day after 03:00 UTC. A time missed while no process ran is made up for once. */
  every: Period
  /** Must be safe to run twice. `signal` is aborted when the process stops and at the time limit. */
  run: (platform: Given, signal: AbortSignal) => Promise<void>
}
