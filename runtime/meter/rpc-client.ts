import { requireLive } from '../kernel/env.ts'
import { callPrepared } from '../kernel/call-prepared.ts'
import { manifestHash } from '../manifest.gen.ts'
import type { MeterCalls } from './types.ts'

/** Calls the live worker. The first call sends the objects this release's manifest. Throws the `ApiError` that they return. */
export async function callMeter<Kind extends keyof MeterCalls>(
  kind: Kind,
  ask: MeterCalls[Kind]['ask'],
): Promise<MeterCalls[Kind]['answer']> {
  const live = requireLive('meter')
  return callPrepared(live, () => live.meter(manifestHash, kind, ask), 'The meters are not ready yet.')
}
