import { requireLive } from '../kernel/env.ts'
import { valueIn } from '../kernel/errors.ts'
import type { EmailBinding, EmailCalls } from './types.ts'

/** Calls the live worker. Throws the `ApiError` that it returns. */
export async function callEmail<Kind extends keyof EmailCalls>(
  kind: Kind,
  ask: EmailCalls[Kind]['ask'],
): Promise<EmailCalls[Kind]['answer']> {
  const live: unknown = requireLive('email')
  return valueIn(await (live as EmailBinding).email(kind, ask))
}
