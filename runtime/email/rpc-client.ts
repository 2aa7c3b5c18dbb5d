import { requireLive } from '../kernel/worker/env.ts'
import { unwrapResult } from '../kernel/errors.ts'
import type { EmailCalls } from './types.ts'

/** Calls the live worker, which has the Durable Objects, by RPC. Throws the `ApiError` that the live worker returns. */
export async function callEmail<Kind extends keyof EmailCalls>(
  kind: Kind,
  ask: EmailCalls[Kind]['ask'],
): Promise<EmailCalls[Kind]['answer']> {
  const live = requireLive('email')
  return unwrapResult(await live.email(kind, ask))
}
