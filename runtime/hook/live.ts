import { requireLive } from '../kernel/env.ts'
import { ApiError, fromFailure } from '../kernel/errors.ts'
import { manifest, manifestHash } from '../manifest.gen.ts'
import type { HookBinding, HookCalls } from './types.ts'

/** Calls the live worker about messages; at first contact sends it this release's manifest. Throws its refusals. */
export async function askHook<Kind extends keyof HookCalls>(
  kind: Kind,
  ask: HookCalls[Kind]['ask'],
): Promise<HookCalls[Kind]['answer']> {
  const live = requireLive('hook')
  const hooks: unknown = live
  const send = () => (hooks as HookBinding).hook(manifestHash, kind, ask)
  let answer = await send()
  if (!answer.ok && 'unprepared' in answer) {
    await live.prepare(manifestHash, manifest)
    answer = await send()
  }
  if (answer.ok) return answer.value
  throw 'error' in answer
    ? fromFailure(answer.error)
    : new ApiError('unavailable', 'The records are not ready yet.')
}
