import { requireLive } from '../kernel/env.ts'
import { callPrepared } from '../kernel/call-prepared.ts'
import { manifestHash } from '../manifest.gen.ts'
import type { HookCalls } from './types.ts'

/** Calls the live worker. The first call sends it this release's manifest. Throws the `ApiError` that it returns. */
export async function callHook<Kind extends keyof HookCalls>(
  kind: Kind,
  ask: HookCalls[Kind]['ask'],
): Promise<HookCalls[Kind]['answer']> {
  const live = requireLive('hook')
  return callPrepared(live, () => live.hook(manifestHash, kind, ask), 'The records are not ready yet.')
}
