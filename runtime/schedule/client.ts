import { callRoute } from '../web/api.ts'
import type { JobName } from '../types.gen.ts'
import type { Timer } from './types.ts'

export type { Timer } from './types.ts'

/** The timers of the person who is signed in. A timer runs a file of `server/jobs/`. */
export interface BrowserTimers {
  /** Runs the job at least once, at the time `at`. A person may have 100 timers. */
  set(at: Date | string, name: JobName, data?: unknown): Promise<{ id: string }>
  /** Returns the timers, sorted by the time when each is due next. */
  list(): Promise<Timer[]>
  cancel(id: string): Promise<void>
}

const TIMERS_PATH = '/_app/schedule/timers'

export const timers: BrowserTimers = {
  set: (at, name, data = null) =>
    callRoute('POST', TIMERS_PATH, { at: at instanceof Date ? at.toJSON() : at, name, data }),
  list: () => callRoute('GET', TIMERS_PATH),
  async cancel(id) {
    await callRoute('DELETE', `${TIMERS_PATH}/${encodeURIComponent(id)}`)
  },
}
