import type { Trx } from './db/database.ts'
import type { MailsTable } from './db/tables/mail.ts'

/** A mail. `text` and `html` have the same content, because a mail program shows only one of them. */
export interface MailMessage {
  subject: string
  text: string
  html: string
}

export interface MailToSend {
  kind: MailsTable['kind']
  recipient: string
  message: MailMessage
}

/** Stores mails, which a job sends. `mail/enqueue-mail.ts` implements this interface. */
export interface Mailer {
  /** Links in mails begin with this address, which is that of the console. */
  baseUrl: string
  /**
   * Stores a mail, and the job that sends it, in one transaction. Never waits for the mail server, so that the
   * duration of a response does not reveal whether an address is known. Without a mail server the mail is only
   * stored, and its link (`url`) is logged if the base URL is on loopback, so that a developer can open the link.
   */
  enqueue: (mail: MailToSend & { url: string }) => Promise<void>
  /** Stores a mail in the transaction of the change that the mail is about. */
  store: (trx: Trx, mail: MailToSend) => Promise<void>
}
