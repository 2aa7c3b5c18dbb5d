import { requireLive } from '../kernel/worker/env.ts'
import { unwrapResult } from '../kernel/errors.ts'
import type { EmailCalls } from './types.ts'

/**
 * Calls the live worker, which holds the Durable Objects, over RPC. Throws the `ApiError` that it returns.
 */
export async function callEmail<Kind extends keyof EmailCalls>(
  kind: Kind,
  ask: EmailCalls[Kind]['ask'],
): Promise<EmailCalls[Kind]['answer']> {
  const live = requireLive('email')
  return unwrapResult(await live.email(kind, ask))
}
