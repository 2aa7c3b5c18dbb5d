import { requireLive } from '../kernel/worker/env.ts'
import { unwrapResult } from '../kernel/errors.ts'
import type { QueueCalls } from './types.ts'

/** Calls the live worker, which has the app's Durable Objects, by RPC. Throws a returned `ApiError`. */
export async function callQueue<Kind extends keyof QueueCalls>(
  kind: Kind,
  ask: QueueCalls[Kind]['ask'],
): Promise<QueueCalls[Kind]['answer']> {
  const live = requireLive('queue')
  return unwrapResult(await live.queue(kind, ask))
}
