import { requireLive } from '../kernel/worker/env.ts'
import { unwrapResult } from '../kernel/errors.ts'
import type { VideoCalls } from './types.ts'

/** Calls the live worker, which has the app's Durable Objects, by RPC. Throws a returned `ApiError`. */
export async function callVideo<Kind extends keyof VideoCalls>(
  kind: Kind,
  ask: VideoCalls[Kind]['ask'],
): Promise<VideoCalls[Kind]['answer']> {
  const live = requireLive('video')
  return unwrapResult(await live.videos(kind, ask))
}
