import type { MailboxSettings } from './settings.ts'
import type { KeptMail, ListedMail, InboxMail, MovedMail } from './store.ts'
import type { MailEvent, OutgoingMail } from './types.ts'

export interface MailObjectCalls {
  /** Queues a mail from the app's server code. Throws `rate_limited` when a limit is reached. */
  send: { ask: { id: string; mail: OutgoingMail }; answer: { id: string } }
  /**
   * Queues an invitation or a notice. At a limit it is dropped without an error. In the preview it is stored
   * and never sent.
   */
  offer: { ask: { id: string; kind: 'invitation' | 'notice'; mail: InboxMail }; answer: void }
  /**
   * Queues a sign-in message, which waits while a limit is reached. For null (an unknown address) it does the
   * same work and stores nothing, so that the response time does not reveal whether the address is known.
   */
  queue: { ask: { mail: InboxMail | null; goodForMs: number }; answer: void }
  /** Stores a mail of the preview's server code for the operator to read. It is never sent. */
  capture: { ask: { mail: OutgoingMail }; answer: void }
  list: { ask: { limit: number }; answer: ListedMail[] }
  unsent: { ask: { limit: number }; answer: KeptMail[] }
  /** Makes all mail that waits for its first send attempt due now. Called after a domain was verified. */
  resume: { ask: null; answer: void }
  dump: { ask: { after: number }; answer: MovedMail[] }
  restore: { ask: { mails: MovedMail[] }; answer: void }
}

export type NewMail = Omit<MailEvent, 'id' | 'receivedAt' | 'mailbox'>

/** RPC methods for received mail. The Durable Object that stores the app's records handles them. */
export interface InboxCalls {
  seen: { ask: { mailbox: string; messageId: string }; answer: boolean }
  /** `hash` identifies the live release, whose manifest the partition must have. */
  take: {
    ask: { hash: string; mailbox: MailboxSettings; mail: NewMail }
    answer: { id: string; isNew: boolean }
  }
}
