import type { Core } from './core.ts'

export type Period = 'minute' | '10 minutes' | 'hour' | 'night'

/**
 * Scheduled housekeeping that runs in one process at a time. Each folder exports its own tasks. `Given` is
 * the part of the platform that a task uses.
 */
export interface ScheduledTask<Given = Core> {
  /** Unique among all tasks and never changed: the database stores under this name when the task last ran. */
  name: string
  /** `night` is once a day after 03:00 UTC. One run makes up for all times missed while no process ran. */
  every: Period
  /** Must be safe to run twice. `signal` is aborted when the process stops or the time limit is reached. */
  run: (platform: Given, signal: AbortSignal) => Promise<void>
}
