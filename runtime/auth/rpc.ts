import { failureAnswer } from '../kernel/errors.ts'
import { directoryOf } from '../kernel/objects/objects.ts'
import type { LiveContext } from '../kernel/objects/rpc-method.ts'
import { type AuthHandlers, openAuthContext, type AuthDeps } from './context.ts'
import { emailHandlers } from './sign-in/email-sign-in.ts'
import { handoverHandlers, handoverKeyOf } from './sign-in/handover.ts'
import { oauthHandlers } from './sign-in/oauth.ts'
import { callMail } from '../email/rpc.ts'
import { emailSettingsOf } from '../email/settings.ts'
import type { InboxMail } from '../email/store.ts'
import { passkeyHandlers } from './sign-in/passkeys.ts'
import { passwordHandlers } from './sign-in/password-sign-in.ts'
import { personHandlers } from './person.ts'
import { authSettingsOf } from './settings.ts'
import type { AuthAnswer, AuthCalls } from './types.ts'

/** Handles an RPC call about accounts. Returns the result, or an `ApiError` as a value instead of throwing it. */
export async function handleAuth<Kind extends keyof AuthCalls>(
  context: LiveContext,
  kind: Kind,
  ask: AuthCalls[Kind]['ask'],
): Promise<AuthAnswer<Kind>> {
  const { objects, tier, env } = context
  const { mail, send } = mailIn(context)
  try {
    const auth = openAuthContext({
      objects,
      tier,
      settings: authSettingsOf(env),
      handoverKey: handoverKeyOf(env),
      send,
    })
    const handlers = {
      ...emailHandlers(auth),
      ...passkeyHandlers(auth),
      ...oauthHandlers(auth),
      ...handoverHandlers(auth),
      ...passwordHandlers(auth),
      ...personHandlers(auth),
    }
    const all: AuthHandlers<keyof AuthCalls> = handlers
    return { ok: true, value: await all[kind](ask), ...(mail.length > 0 && { mail }) }
  } catch (error) {
    return failureAnswer(error)
  }
}

/**
 * Returns a function that sends messages. In a preview the function sends no messages and adds them to `mail`, which the page shows.
 * Without the capability `email` it stores the messages for the operator to read.
 */
function mailIn({ objects, tier, env }: LiveContext): { mail: InboxMail[]; send: AuthDeps['send'] } {
  const mail: InboxMail[] = []
  const { isOn: hasEmail } = emailSettingsOf(env)
  const send: AuthDeps['send'] = async (one, goodForMs) => {
    if (tier === 'preview') mail.push(...(one === null ? [] : [one]))
    else if (hasEmail) await callMail(objects, tier, 'queue', { mail: one, goodForMs })
    else await directoryOf(objects, tier).users('keepMail', one)
  }
  return { mail, send }
}
