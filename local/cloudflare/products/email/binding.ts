import { SHIMS_WORKER, type Shim } from '../../workerd/rpc.ts'
import { type BindingKind, refuseUpload } from '../binding.ts'

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/**
 * The `send_email` binding. `allowed_sender_addresses` limits the senders; without it every sender of the account's enabled domains may be
 * used.
 */
export const emailBinding: BindingKind = {
  types: ['send_email'],
  usesShims: true,
  check: (binding) => {
    const allowed = binding['allowed_sender_addresses']
    if (allowed !== undefined && !isTexts(allowed))
      throw refuseUpload(`Binding ${binding.name}: allowed_sender_addresses must be a list of addresses.`)
  },
  env: (binding, { script }) => {
    const allowed = binding['allowed_sender_addresses']
    return {
      type: 'worker',
      worker: SHIMS_WORKER,
      exportName: 'SendEmail',
      props: {
        accountId: script.accountId,
        worker: script.name,
        ...(isTexts(allowed) ? { allowed } : {}),
      },
    }
  },
}

/** Accepts structured mail and an `EmailMessage`, which arrives as addresses and raw text. */
export const emailShim: Shim = {
  className: 'SendEmail',
  source: `
import { WorkerEntrypoint } from 'cloudflare:workers'
import { ask } from './ask.js'

const RAW = 'EmailMessage::raw'
const toBase64 = async (content) => {
  if (typeof content === 'string') return content
  return new Uint8Array(await new Response(content).arrayBuffer()).toBase64()
}

export class SendEmail extends WorkerEntrypoint {
  async send(message) {
    const raw = message[RAW]
    const mail = raw === undefined
      ? { ...message, attachments: message.attachments && await Promise.all(
          message.attachments.map(async (one) => ({ ...one, content: await toBase64(one.content) }))) }
      : { from: message.from, to: message.to, raw: await new Response(raw).text() }
    const answer = await ask(this, 'email', '/send', { method: 'POST', body: JSON.stringify(mail) })
    const result = await answer.json()
    if (answer.ok) return result
    throw Object.assign(new Error(result.code + ': ' + result.message), { code: result.code })
  }
}
`,
}
