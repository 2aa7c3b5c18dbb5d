import type { ResultOf } from '../kernel/calls.ts'

/** A schedule as `app.json` declares it, compiled. */
export interface ScheduleSpec {
  name: string
  /** As it was declared, for people. */
  repeat: string
  /** Five parts. */
  cron: string
  timezone?: string | undefined
  /** A file of `server/jobs/`. */
  handler: string
  retries?: number | undefined
}

/** A schedule as the operator sees it. */
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

/** A timer of a person. */
export interface Timer {
  id: string
  /** The file of `server/jobs/` that runs. */
  name: string
  at: string
}

/** What the app's worker asks of timers. */
export interface TimerCalls {
  set: { ask: { at: string; name: string; data: unknown }; answer: { id: string } }
  list: { ask: null; answer: Timer[] }
  cancel: { ask: { id: string }; answer: { id: string } }
}

/** Whose timers are meant: those of a session, or, for server code, those of a person. */
export type TimerOwner = { session: string } | { userId: string }

/** The timer method of a code worker's `LIVE` binding. Add methods, never change them: older releases call them. */
export interface TimersBinding {
  timers<Kind extends keyof TimerCalls>(
    owner: TimerOwner,
    kind: Kind,
    ask: TimerCalls[Kind]['ask'],
  ): Promise<ResultOf<TimerCalls, Kind>>
}
