import { requireLive } from '../kernel/worker/env.ts'
import { fromFailure } from '../kernel/errors.ts'
import type { InboxMail } from '../email/store.ts'
import type { AuthCalls } from './types.ts'

/** Sends an RPC call about people or sessions to the live worker, which stores them. Throws the `ApiError` that the live worker returns. */
export async function callAuth<Kind extends keyof AuthCalls>(
  kind: Kind,
  ask: AuthCalls[Kind]['ask'],
): Promise<AuthCalls[Kind]['answer']> {
  return (await callAuthWithMail(kind, ask)).value
}

/** `mail` holds the messages that a preview shows instead of sending. */
export async function callAuthWithMail<Kind extends keyof AuthCalls>(
  kind: Kind,
  ask: AuthCalls[Kind]['ask'],
): Promise<{ value: AuthCalls[Kind]['answer']; mail: InboxMail[] | null }> {
  const live = requireLive('auth')
  const answer = await live.auth(kind, ask)
  if (answer.ok) return { value: answer.value, mail: answer.mail ?? null }
  throw fromFailure(answer.error)
}
