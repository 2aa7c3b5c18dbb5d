import type { ResultOf } from '../kernel/objects/calls.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    schedule: TimersBinding
  }
}

declare module '../kernel/manifest.ts' {
  interface Manifest {
    schedules?: ScheduleSpec[] | undefined
  }
}

export interface ScheduleSpec {
  name: string
  /** The repetition as `app.json` declares it, for display. */
  repeat: string
  cron: string
  timezone?: string | undefined
  /** A file of `server/jobs/`. */
  handler: string
  retries?: number | undefined
}

export interface ScheduledJob {
  name: string
  repeat: string
  nextRunAt: string | null
  lastRunAt: string | null
  lastStatus: 'ok' | 'failed' | 'skipped' | null
  lastDurationMs: number | null
  attempts: number
  lastError: string | null
  paused: boolean
}

/** A person's timer, which runs once. */
export interface Timer {
  id: string
  /** The file of `server/jobs/` to run. */
  name: string
  at: string
}

export interface TimerCalls {
  /** The fields are validated where the timer is stored, because they may come unchecked from a request. */
  set: { ask: { at: unknown; name: unknown; data: unknown }; answer: { id: string } }
  list: { ask: null; answer: Timer[] }
  cancel: { ask: { id: string }; answer: { id: string } }
}

/** The owner of the timer: the signed-in person, or the person that server code names. */
export type TimerOwner = { session: string } | { userId: string }

/**
 * RPC calls from the app's worker to the live worker about timers. Older releases, which a rollback restores,
 * use these names: add calls, never change one.
 */
export interface TimersBinding {
  timers<Kind extends keyof TimerCalls>(
    owner: TimerOwner,
    kind: Kind,
    ask: TimerCalls[Kind]['ask'],
  ): Promise<ResultOf<TimerCalls, Kind>>
}
