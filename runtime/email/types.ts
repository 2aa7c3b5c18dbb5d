import type { ResultMethod } from '../kernel/calls.ts'

/** A file that a mail carries. */
export interface MailAttachment {
  name: string
  /** Its media type. */
  type: string
  content: ArrayBuffer | Uint8Array<ArrayBuffer> | string
}

/** A mail as server code sends it. */
export interface MailMessage {
  /** One address, or up to 50. They see each other. */
  to: string | readonly string[]
  subject: string
  text: string
  html?: string | undefined
  /** Where answers go; without it the address of the capability's settings. */
  replyTo?: string | undefined
  attachments?: readonly MailAttachment[] | undefined
}

/** A mail that was checked, with the bytes of its files. */
export interface Outgoing {
  to: string[]
  subject: string
  text: string
  html: string | null
  replyTo: string | null
  attachments: { name: string; type: string; bytes: Uint8Array<ArrayBuffer> }[]
}

/** A mail that the preview shows instead of sending it. */
export type ShownMail = Omit<Outgoing, 'attachments'> & { attachments: string[] }

/** What a send returns: stored, and sent or repeated from now on. */
export interface SentMail {
  id: string
  /** Only in the preview, which sends nothing. */
  preview?: { mail: ShownMail[] }
}

/** A collection that may receive mail, as `app.json` declares it. */
export interface MailboxSpec {
  collection: string
  /** A file of `server/jobs/` that is called with each mail. */
  handler?: string | undefined
}

/** A file of a mail that came in; `fileId` while the capability files is on. */
export interface ReceivedAttachment {
  name: string
  type: string
  size: number
  fileId?: string
}

/** A mail that came in, as a handler gets it. */
export interface MailEvent {
  /** The id of its record. */
  id: string
  /** The address it came to. */
  mailbox: string
  from: string
  to: string[]
  subject: string
  text: string
  html: string | null
  messageId: string
  /** In ISO 8601. */
  receivedAt: string
  /** Written by a machine: an absence notice, a newsletter, a bounce. Never answer one. */
  isAutomatic: boolean
  attachments: ReceivedAttachment[]
}

/** What the app's worker asks. Methods are added, never changed: older releases call them. */
export interface EmailCalls {
  /** `id` is chosen by the caller, so that a repeated call sends nothing twice. */
  send: { ask: { id: string; message: MailMessage }; answer: SentMail }
}

/** The email method of a code worker's `LIVE` binding. */
export interface EmailBinding {
  email: ResultMethod<EmailCalls>
}
