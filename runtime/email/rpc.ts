import { invalid, unwrapResult } from '../kernel/errors.ts'
import { directoryOf, type Objects, type Tier } from '../kernel/objects/objects.ts'
import { validateMail } from './message.ts'
import type { MailObjectCalls } from './calls.ts'
import type { EmailCalls, OutgoingMail, ShownMail } from './types.ts'
import { rpcMethod, type LiveContext } from '../kernel/objects/rpc-method.ts'
import type { AsyncHandlersOf } from '../kernel/objects/calls.ts'

const MAIL_ID_PATTERN = /^mail_[0-9a-f]{32}$/

/** Calls the directory object, which stores the mail to send. Throws the `ApiError` that the directory returns. */
export async function callMail<Kind extends keyof MailObjectCalls>(
  objects: Objects,
  tier: Tier,
  kind: Kind,
  ask: MailObjectCalls[Kind]['ask'],
): Promise<MailObjectCalls[Kind]['answer']> {
  return unwrapResult(await directoryOf(objects, tier).mail(kind, ask))
}

type EmailContext = Pick<LiveContext, 'objects' | 'tier'>

/**
 * Runs in the live worker, which owns the Durable Objects: handles RPC calls from the app's worker. A mail of
 * the preview is stored and not sent.
 */
export const handleEmail = rpcMethod<EmailContext, EmailCalls>(emailHandlers)

function emailHandlers({ objects, tier }: EmailContext): AsyncHandlersOf<EmailCalls> {
  return {
    send: async ({ id, message }) => {
      if (!MAIL_ID_PATTERN.test(id)) throw invalid('id', 'must be one of email.send')
      const mail = validateMail(message)
      if (tier === 'production') return callMail(objects, tier, 'send', { id, mail })
      await callMail(objects, tier, 'capture', { mail })
      return { id, preview: { mail: [presentMail(mail)] } }
    },
  }
}

const presentMail = (mail: OutgoingMail): ShownMail => ({
  ...mail,
  attachments: mail.attachments.map(({ name }) => name),
})
