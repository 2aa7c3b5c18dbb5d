import { requireLive } from '../kernel/worker/env.ts'
import { unwrapResult } from '../kernel/errors.ts'
import type { PushCalls } from './types.ts'

/** Calls the live worker, which has the app's Durable Objects, by RPC. Throws a returned `ApiError`. */
export async function callPush<Kind extends keyof PushCalls>(
  kind: Kind,
  ask: PushCalls[Kind]['ask'],
): Promise<PushCalls[Kind]['answer']> {
  const live = requireLive('push')
  return unwrapResult(await live.push(kind, ask))
}
