import { requireLive } from '../kernel/env.ts'
import { fromFailure } from '../kernel/errors.ts'
import type { AuthBinding, AuthCalls } from './types.ts'

/** Calls the objects that keep the accounts. Throws their refusals. */
export async function askAuth<Kind extends keyof AuthCalls>(
  kind: Kind,
  ask: AuthCalls[Kind]['ask'],
): Promise<AuthCalls[Kind]['answer']> {
  const live: unknown = requireLive('auth')
  const answer = await (live as AuthBinding).auth(kind, ask)
  if (answer.ok) return answer.value
  throw fromFailure(answer.error)
}
