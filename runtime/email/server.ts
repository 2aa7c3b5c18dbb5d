import { newMailId } from './message.ts'
import { callEmail } from './rpc-client.ts'
import type { MailMessage, SentMail } from './types.ts'

export type { MailAttachment, MailEvent, MailMessage, ReceivedAttachment, SentMail } from './types.ts'

/** Sends mail from server code. */
export interface ServerEmail {
  /**
   * Sends a mail from the app's address. The mail is stored when this resolves, and retried until it is sent. Throws `rate_limited` when a
   * limit is reached. The preview sends nothing and returns the mail.
   */
  send(message: MailMessage): Promise<SentMail>
}

export const email: ServerEmail = {
  send: (message) => callEmail('send', { id: newMailId(), message }),
}
