import { unwrapResult } from '../kernel/errors.ts'
import { logError } from '../kernel/objects/log.ts'
import { directoryOf, type Tier } from '../kernel/objects/objects.ts'
import type { Part } from '../kernel/objects/part.ts'
import { runningCalls } from './running.ts'
import type { RunningCall } from './types.ts'

interface CallReads {
  /** Returns the running calls, newest first. */
  calls(tier: Tier): Promise<RunningCall[]>
}

export const part: Part<object, object, CallReads> = {
  erasure: {
    forget: async ({ objects, tier, userId }) =>
      unwrapResult(await directoryOf(objects, tier).rooms('forgetCalls', { place: userId })),
  },
  reads: {
    calls: (at) => (tier) =>
      runningCalls(at.objects, tier, (error) => logError(error, { route: 'call', tier })),
  },
}
