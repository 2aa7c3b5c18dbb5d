import { requireLive } from '../kernel/env.ts'
import { fromFailure } from '../kernel/errors.ts'
import type { Mail } from '../email/store.ts'
import type { AuthBinding, AuthCalls } from './types.ts'

/** Throws the `ApiError` that the live worker returned. */
export async function callAuth<Kind extends keyof AuthCalls>(
  kind: Kind,
  ask: AuthCalls[Kind]['ask'],
): Promise<AuthCalls[Kind]['answer']> {
  return (await callAuthWithMail(kind, ask)).value
}

/** `mail`: the messages that the preview shows instead of sending them. */
export async function callAuthWithMail<Kind extends keyof AuthCalls>(
  kind: Kind,
  ask: AuthCalls[Kind]['ask'],
): Promise<{ value: AuthCalls[Kind]['answer']; mail: Mail[] | null }> {
  const live: unknown = requireLive('auth')
  const answer = await (live as AuthBinding).auth(kind, ask)
  if (answer.ok) return { value: answer.value, mail: answer.mail ?? null }
  throw fromFailure(answer.error)
}
