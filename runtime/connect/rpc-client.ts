import { requireLive } from '../kernel/env.ts'
import { valueIn } from '../kernel/errors.ts'
import type { ConnectBinding, ConnectCalls } from './types.ts'

/** Calls the objects that store the connections. Throws the `ApiError` that they return. */
export async function callConnect<Kind extends keyof ConnectCalls>(
  kind: Kind,
  ask: ConnectCalls[Kind]['ask'],
): Promise<ConnectCalls[Kind]['answer']> {
  const live: unknown = requireLive('connect')
  return valueIn(await (live as ConnectBinding).connections(kind, ask))
}
