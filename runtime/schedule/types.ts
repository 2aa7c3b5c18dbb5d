import type { ResultOf } from '../kernel/calls.ts'

export interface ScheduleSpec {
  name: string
  /** As it was declared, to show to people. */
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

/** A timer of a person; it runs once. */
export interface Timer {
  id: string
  /** The file of `server/jobs/` that runs. */
  name: string
  at: string
}

export interface TimerCalls {
  set: { ask: { at: string; name: string; data: unknown }; answer: { id: string } }
  list: { ask: null; answer: Timer[] }
  cancel: { ask: { id: string }; answer: { id: string } }
}

/** The person: the holder of a session, or, for server code, the one it names. */
export type TimerOwner = { session: string } | { userId: string }

/** For the app's worker. Methods are added, never changed: older releases call them. */
export interface TimersBinding {
  timers<Kind extends keyof TimerCalls>(
    owner: TimerOwner,
    kind: Kind,
    ask: TimerCalls[Kind]['ask'],
  ): Promise<ResultOf<TimerCalls, Kind>>
}
