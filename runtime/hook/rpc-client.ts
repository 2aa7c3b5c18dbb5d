import { requireLive } from '../kernel/env.ts'
import { callPrepared } from '../kernel/call-prepared.ts'
import { manifestHash } from '../manifest.gen.ts'
import type { HookBinding, HookCalls } from './types.ts'

/** At first contact the live worker is sent the manifest of this release. Throws the `ApiError` that it returned. */
export async function callHook<Kind extends keyof HookCalls>(
  kind: Kind,
  ask: HookCalls[Kind]['ask'],
): Promise<HookCalls[Kind]['answer']> {
  const live = requireLive('hook')
  const hooks: unknown = live
  return callPrepared(
    live,
    () => (hooks as HookBinding).hook(manifestHash, kind, ask),
    'The records are not ready yet.',
  )
}
