import { requireLive } from '../kernel/worker/env.ts'
import { unwrapResult } from '../kernel/errors.ts'
import type { ConnectCalls } from './types.ts'

/** Calls the Durable Objects that store the connections. Throws the `ApiError` that they return. */
export async function callConnect<Kind extends keyof ConnectCalls>(
  kind: Kind,
  ask: ConnectCalls[Kind]['ask'],
): Promise<ConnectCalls[Kind]['answer']> {
  const live = requireLive('connect')
  return unwrapResult(await live.connections(kind, ask))
}
