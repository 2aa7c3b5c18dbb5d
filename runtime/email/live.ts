import { requireLive } from '../kernel/env.ts'
import { fromFailure } from '../kernel/errors.ts'
import type { EmailBinding, EmailCalls } from './types.ts'

/** Calls the live worker about mail. Throws its refusals. */
export async function askEmail<Kind extends keyof EmailCalls>(
  kind: Kind,
  ask: EmailCalls[Kind]['ask'],
): Promise<EmailCalls[Kind]['answer']> {
  const live: unknown = requireLive('email')
  const answer = await (live as EmailBinding).email(kind, ask)
  if (answer.ok) return answer.value
  throw fromFailure(answer.error)
}
