import type { ResultMethod } from '../kernel/calls.ts'

export interface MailAttachment {
  name: string
  type: string
  content: ArrayBuffer | Uint8Array<ArrayBuffer> | string
}

export interface MailMessage {
  /** One address, or up to 50. They see each other. */
  to: string | readonly string[]
  subject: string
  text: string
  html?: string | undefined
  /** Where replies go; without it the address of the capability's settings. */
  replyTo?: string | undefined
  attachments?: readonly MailAttachment[] | undefined
}

/** Checked, with the bytes of the files. */
export interface Outgoing {
  to: string[]
  subject: string
  text: string
  html: string | null
  replyTo: string | null
  attachments: { name: string; type: string; bytes: Uint8Array<ArrayBuffer> }[]
}

export type ShownMail = Omit<Outgoing, 'attachments'> & { attachments: string[] }

/** The result of a send: the mail is stored, and is retried until it is sent. */
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

/** A file of a received mail; `fileId` while the capability files is on. */
export interface ReceivedAttachment {
  name: string
  type: string
  size: number
  fileId?: string
}

/** A received mail, as a handler gets it. */
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
  /** ISO 8601. */
  receivedAt: string
  /** Written by a machine: an absence notice, a newsletter, a bounce. Never reply to one. */
  isAutomatic: boolean
  attachments: ReceivedAttachment[]
}

/** Calls of the app's worker. Methods are added, never changed: older releases call them. */
export interface EmailCalls {
  /** The caller chooses `id`, so that a repeated call sends nothing twice. */
  send: { ask: { id: string; message: MailMessage }; answer: SentMail }
}

export interface EmailBinding {
  email: ResultMethod<EmailCalls>
}
