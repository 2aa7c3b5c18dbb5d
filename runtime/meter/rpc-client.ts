import { requireLive } from '../kernel/worker/env.ts'
import { callPrepared } from '../kernel/objects/call-prepared.ts'
import { manifestHash } from '../manifest.gen.ts'
import type { MeterCalls } from './types.ts'

/**
 * Calls the live worker over RPC. When the Durable Objects do not have this release's manifest yet, sends the manifest and repeats the
 * call. Throws a returned `ApiError`.
 */
export async function callMeter<Kind extends keyof MeterCalls>(
  kind: Kind,
  ask: MeterCalls[Kind]['ask'],
): Promise<MeterCalls[Kind]['answer']> {
  const live = requireLive('meter')
  return callPrepared(live, () => live.meter(manifestHash, kind, ask), 'The meters are not ready yet.')
}
