import { createTransport } from 'nodemailer'
import type { MailMessage } from '../mail-port.ts'

/** A server that takes longer is unlikely to respond at all; the mail is retried. */
const ANSWER_MS_MAX = 20_000

interface OutgoingMail {
  id: string
  to: string
  message: MailMessage
}

/** Resolves when the server has accepted the mail, which does not mean that it was delivered. */
export async function sendMessage(
  server: { smtpUrl: string; from: string },
  { id, to, message }: OutgoingMail,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const transport = createTransport({
    url: server.smtpUrl,
    connectionTimeout: ANSWER_MS_MAX,
    greetingTimeout: ANSWER_MS_MAX,
    socketTimeout: ANSWER_MS_MAX,
    // No mail includes a file of this machine or the content of a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const sending = transport.sendMail({
    from: server.from,
    // An object, because a string would be parsed as a list: a comma in the address would add a recipient.
    to: { name: '', address: to },
    ...message,
    // Every attempt has the same id, so that a mail program shows a mail that was sent twice only once.
    messageId: `<${id}@${hostOfSender(server.from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  await Promise.race([sending, stopped]).finally(() => signal.removeEventListener('abort', stop))
}

/** Returns whether a failure is permanent: a 5xx reply (RFC 5321, 4.2.1). */
export const isFinal = (error: unknown): boolean => (replyCodeOf(error) ?? 0) >= 500

/** Returns the mail server's reply for the operator. It may contain addresses but never the text of the mail. */
export function describeRefusal(error: unknown): string {
  const said = error instanceof Error && 'response' in error ? String(error.response) : null
  const problem = said ?? (error instanceof Error ? error.message : String(error))
  return problem.slice(0, 500)
}

function replyCodeOf(error: unknown): number | null {
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : null
  return typeof code === 'number' ? code : null
}

/** Returns the domain of the address at the end; a name before the address may contain `@` too. */
const hostOfSender = (from: string): string => /@([^\s@>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
