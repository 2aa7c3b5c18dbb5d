import type { ResultMethod } from '../kernel/objects/calls.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    email: EmailBinding
  }
}

declare module '../kernel/manifest.ts' {
  interface Manifest {
    mailboxes?: MailboxSpec[] | undefined
  }
}

export interface MailAttachment {
  name: string
  type: string
  content: ArrayBuffer | Uint8Array<ArrayBuffer> | string
}

export interface MailMessage {
  /** One address, or up to 50, which every recipient sees. */
  to: string | readonly string[]
  subject: string
  text: string
  html?: string | undefined
  /** The reply address; by default the address from the capability's settings. */
  replyTo?: string | undefined
  attachments?: readonly MailAttachment[] | undefined
}

/** A validated mail, with the bytes of its files. */
export interface OutgoingMail {
  to: string[]
  subject: string
  text: string
  html: string | null
  replyTo: string | null
  attachments: { name: string; type: string; bytes: Uint8Array<ArrayBuffer> }[]
}

export type ShownMail = Omit<OutgoingMail, 'attachments'> & { attachments: string[] }

/** The result of a send. The mail is stored and retried until it is sent. */
export interface SentMail {
  id: string
  /** Set only in the preview, which sends nothing. */
  preview?: { mail: ShownMail[] }
}

/** A collection that is declared in `app.json` to receive mail. */
export interface MailboxSpec {
  collection: string
  /** A file of `server/jobs/` that is run for each mail. */
  handler?: string | undefined
}

/** A file of a received mail. `fileId` is set while the capability `files` is on. */
export interface ReceivedAttachment {
  name: string
  type: string
  size: number
  fileId?: string
}

/** A received mail, as its handler receives it. */
export interface MailEvent {
  /** The id of the mail's record. */
  id: string
  /** The address that the mail was sent to. */
  mailbox: string
  from: string
  to: string[]
  subject: string
  text: string
  html: string | null
  messageId: string
  /** An ISO 8601 timestamp. */
  receivedAt: string
  /** True when a program sent it: an out-of-office reply, a newsletter, a bounce. Never reply to such mail. */
  isAutomatic: boolean
  attachments: ReceivedAttachment[]
}

/**
 * The RPC methods of the live worker that the app's worker calls to send mail. Deployed older releases still call these methods, so add
 * methods but never change or remove one.
 */
export interface EmailCalls {
  /** The caller chooses `id`, so that a repeated call does not send a second mail. */
  send: { ask: { id: string; message: MailMessage }; answer: SentMail }
}

export interface EmailBinding {
  email: ResultMethod<EmailCalls>
}
