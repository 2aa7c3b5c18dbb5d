import type { ResultMethod } from '../kernel/objects/calls.ts'
import type { TimerDump } from './timers.ts'
import type { ScheduledJob, ScheduleSpec, TimerCalls } from './types.ts'
import type { createSchedules } from './runner.ts'

export interface Methods {
  planSchedules(specs: ScheduleSpec[]): Promise<void>
  restSchedules(): Promise<void>
  scheduledJobs(): Promise<ScheduledJob[]>
  /** The caller must have checked that the person exists, so that nothing is stored for a person who does not exist. */
  timers: ResultMethod<TimerCalls>
  countTimers(): Promise<number>
}

export interface Head {
  timers?: TimerDump | null
}

declare module '../kernel/objects/part.ts' {
  interface LazyParts {
    createSchedules: typeof createSchedules
  }
}
