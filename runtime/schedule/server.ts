import { callTimers } from './rpc-client.ts'
import type { JobName } from '../types.gen.ts'
import type { Timer } from './types.ts'

export type { Timer } from './types.ts'

export interface ServerTimers {
  /** Runs the job at least once, at the time `at`. The job gets the person as `info.userId`. A person may have 100 timers. */
  set(at: Date | string, name: JobName, data: unknown, whose: { userId: string }): Promise<{ id: string }>
  /** Returns the timers, sorted by the time when each is due next. */
  list(whose: { userId: string }): Promise<Timer[]>
  cancel(id: string, whose: { userId: string }): Promise<{ id: string }>
}

export const timers: ServerTimers = {
  set: (at, name, data, { userId }) =>
    callTimers({ userId }, 'set', { at: at instanceof Date ? at.toJSON() : at, name, data }),
  list: ({ userId }) => callTimers({ userId }, 'list', null),
  cancel: (id, { userId }) => callTimers({ userId }, 'cancel', { id }),
}
