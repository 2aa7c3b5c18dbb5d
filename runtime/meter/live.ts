import { requireLive } from '../kernel/env.ts'
import { ApiError, fromFailure } from '../kernel/errors.ts'
import { manifest, manifestHash } from '../manifest.gen.ts'
import type { MeterBinding, MeterCalls } from './types.ts'

/** Calls the objects that count; at first contact sends them this release's manifest. Throws their refusals. */
export async function askMeter<Kind extends keyof MeterCalls>(
  kind: Kind,
  ask: MeterCalls[Kind]['ask'],
): Promise<MeterCalls[Kind]['answer']> {
  const live = requireLive('meter')
  const meters: unknown = live
  const send = () => (meters as MeterBinding).meter(manifestHash, kind, ask)
  let answer = await send()
  if (!answer.ok && 'unprepared' in answer) {
    await live.prepare(manifestHash, manifest)
    answer = await send()
  }
  if (answer.ok) return answer.value
  throw 'error' in answer
    ? fromFailure(answer.error)
    : new ApiError('unavailable', 'The meters are not ready yet.')
}
