import { requireLive } from '../kernel/worker/env.ts'
import { unwrapResult } from '../kernel/errors.ts'
import type { AiCalls } from './types.ts'

/**
 * Calls a model by RPC to the live worker, which counts the run. Throws the `ApiError` that the live worker
 * returns.
 */
export async function callAi<Kind extends keyof AiCalls>(
  kind: Kind,
  ask: AiCalls[Kind]['ask'],
): Promise<AiCalls[Kind]['answer']> {
  const live = requireLive('ai')
  return unwrapResult(await live.ai(kind, ask))
}
