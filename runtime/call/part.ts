import { logError } from '../kernel/log.ts'
import type { Tier } from '../kernel/objects.ts'
import type { Part } from '../kernel/part.ts'
import { runningCalls } from './running.ts'
import type { RunningCall } from './types.ts'

interface CallReads {
  /** Returns the running calls, newest first. */
  calls(tier: Tier): Promise<RunningCall[]>
}

export const part: Part<object, object, CallReads> = {
  reads: {
    calls: (at) => (tier) =>
      runningCalls(at.objects, tier, (error) => logError(error, { route: 'call', tier })),
  },
}
