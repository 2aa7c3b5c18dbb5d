import { requireLive } from '../kernel/env.ts'
import { callPrepared } from '../kernel/call-prepared.ts'
import { manifestHash } from '../manifest.gen.ts'
import type { MeterBinding, MeterCalls } from './types.ts'

/** At first contact the objects are sent the manifest of this release. Throws the `ApiError` that they returned. */
export async function callMeter<Kind extends keyof MeterCalls>(
  kind: Kind,
  ask: MeterCalls[Kind]['ask'],
): Promise<MeterCalls[Kind]['answer']> {
  const live = requireLive('meter')
  const meters: unknown = live
  return callPrepared(
    live,
    () => (meters as MeterBinding).meter(manifestHash, kind, ask),
    'The meters are not ready yet.',
  )
}
