import * as z from 'zod'
import type { RpcCall } from '../../workerd/rpc.ts'
import { OutgoingMail, rawSubject } from './outgoing.ts'
import { type MailWorld, sendMail } from './send.ts'

const Raw = z.object({ from: z.string(), to: z.string(), raw: z.string() })

/** Sends a mail of a binding. Errors have the provider's codes, such as `E_SENDER_NOT_VERIFIED`, which the shim throws in the app. */
export async function handleEmail(world: MailWorld, { props, bytes }: RpcCall): Promise<Response> {
  const given: unknown = JSON.parse(new TextDecoder().decode(await bytes()))
  const raw = Raw.safeParse(given).data
  const mail = OutgoingMail.safeParse(raw === undefined ? given : { ...raw, subject: rawSubject(raw.raw) })
  if (!mail.success)
    return Response.json(
      { code: 'E_VALIDATION_ERROR', message: z.prettifyError(mail.error) },
      { status: 400 },
    )
  const allowed = props['allowed']
  const by = {
    accountId: String(props['accountId']),
    worker: String(props['worker']),
    allowed: Array.isArray(allowed) ? allowed.map(String) : undefined,
  }
  const sent = await sendMail(world, by, mail.data, raw?.raw ?? null)
  if ('problem' in sent) return Response.json(sent.problem, { status: 400 })
  return Response.json({ messageId: sent.messageId })
}
