import { requireLive } from '../kernel/worker/env.ts'
import { unwrapResult } from '../kernel/errors.ts'
import type { TimerCalls, TimerOwner } from './types.ts'

/** Calls the live worker, which has the app's Durable Objects, by RPC. Throws a returned `ApiError`. */
export async function callTimers<Kind extends keyof TimerCalls>(
  owner: TimerOwner,
  kind: Kind,
  ask: TimerCalls[Kind]['ask'],
): Promise<TimerCalls[Kind]['answer']> {
  const live = requireLive('schedule')
  return unwrapResult(await live.timers(owner, kind, ask))
}
