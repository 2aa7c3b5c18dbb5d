import { requireLive } from '../kernel/worker/env.ts'
import { unwrapResult } from '../kernel/errors.ts'
import type { PayCalls } from './types.ts'

/** Calls the live worker, which has the Durable Objects, over RPC. Throws a returned `ApiError`. */
export async function callPay<Kind extends keyof PayCalls>(
  kind: Kind,
  ask: PayCalls[Kind]['ask'],
): Promise<PayCalls[Kind]['answer']> {
  const live = requireLive('pay')
  return unwrapResult(await live.pay(kind, ask))
}
