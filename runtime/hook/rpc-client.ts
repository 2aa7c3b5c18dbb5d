import { requireLive } from '../kernel/worker/env.ts'
import { callPrepared } from '../kernel/objects/call-prepared.ts'
import { manifestHash } from '../manifest.gen.ts'
import type { HookCalls } from './types.ts'

/**
 * Calls the live worker over RPC. When the Durable Object does not have this release's manifest yet, sends the manifest and repeats the
 * call. Throws a returned `ApiError`.
 */
export async function callHook<Kind extends keyof HookCalls>(
  kind: Kind,
  ask: HookCalls[Kind]['ask'],
): Promise<HookCalls[Kind]['answer']> {
  const live = requireLive('hook')
  return callPrepared(live, () => live.hook(manifestHash, kind, ask), 'The records are not ready yet.')
}
