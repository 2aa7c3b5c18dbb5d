import type { MailboxSettings } from './settings.ts'
import type { KeptMail, ListedMail, Mail, OutboxDump } from './store.ts'
import type { MailEvent, Outgoing } from './types.ts'

export interface MailObjectCalls {
  /** Throws `rate_limited` when a limit is reached. */
  send: { ask: { id: string; mail: Outgoing }; answer: { id: string } }
  /** For a message that may be lost: it is dropped when a limit is reached. In the preview it is stored and not sent. */
  offer: { ask: { id: string; kind: 'invitation' | 'notice'; mail: Mail }; answer: void }
  /** For a message of the runtime: it waits when a limit is reached. For null it does the same work and stores nothing. */
  queue: { ask: { mail: Mail | null; goodForMs: number }; answer: void }
  /** Stores a mail of the preview, which is never sent. */
  capture: { ask: { mail: Outgoing }; answer: void }
  list: { ask: { limit: number }; answer: ListedMail[] }
  unsent: { ask: { limit: number }; answer: KeptMail[] }
  /** Schedules mail that waits for its first attempt at once, for instance after a domain was verified. */
  resume: { ask: null; answer: void }
  dump: { ask: null; answer: OutboxDump | null }
  restore: { ask: OutboxDump; answer: void }
}

export type NewMail = Omit<MailEvent, 'id' | 'receivedAt' | 'mailbox'>

/** Calls to the app's partition about received mail. */
export interface InboxCalls {
  seen: { ask: { mailbox: string; messageId: string }; answer: boolean }
  /** `hash` identifies the release that is live. The partition must have its manifest. */
  take: {
    ask: { hash: string; mailbox: MailboxSettings; mail: NewMail }
    answer: { id: string; isNew: boolean }
  }
}
