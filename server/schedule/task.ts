import type { Platform } from '../platform.ts'

export type Period = 'minute' | '10 minutes' | 'hour' | 'night'

/** Housekeeping that nobody asks for, done in one process at a time; a domain exports its own. */
export interface ScheduledTask {
  /** Unique among all tasks and kept for good: it is how the database knows when the task last ran. */
  name: string
  /** `night`: once a day after 03:00 UTC. A time that passed while nothing ran is made up for once. */
  every: Period
  /** Safe to run twice. `signal` is aborted when the process stops and when it takes too long. */
  run(platform: Platform, signal: AbortSignal): Promise<void>
}
