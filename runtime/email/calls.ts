import type { MailboxSettings } from './settings.ts'
import type { KeptMail, ListedMail, Mail, OutboxDump } from './store.ts'
import type { MailEvent, Outgoing } from './types.ts'

/** Calls of the directory about the mail of a tier. */
export interface MailObjectCalls {
  /** Stores a mail of the app's code. Throws `rate_limited` past a limit. */
  send: { ask: { id: string; mail: Outgoing }; answer: { id: string } }
  /** Stores a message that may be missed; past a limit it is dropped. In the preview it is kept and not sent. */
  offer: { ask: { id: string; kind: 'invitation' | 'notice'; mail: Mail }; answer: void }
  /** Stores a message of the runtime, past every limit: it waits. Null does the same work and stores nothing. */
  queue: { ask: { mail: Mail | null; goodForMs: number }; answer: void }
  /** Stores a message of the preview, which is never sent. */
  capture: { ask: { mail: Outgoing }; answer: void }
  list: { ask: { limit: number }; answer: ListedMail[] }
  unsent: { ask: { limit: number }; answer: KeptMail[] }
  /** Tries at once what waits for a first attempt, like after a domain was verified. */
  resume: { ask: null; answer: void }
  dump: { ask: null; answer: OutboxDump | null }
  restore: { ask: OutboxDump; answer: void }
}

/** A mail on its way into the objects. */
export type NewMail = Omit<MailEvent, 'id' | 'receivedAt' | 'mailbox'>

/** Calls of the app's partition about mail that came in. */
export interface InboxCalls {
  seen: { ask: { mailbox: string; messageId: string }; answer: boolean }
  /** `hash` names the release that serves, which the partition must know. */
  take: {
    ask: { hash: string; mailbox: MailboxSettings; mail: NewMail }
    answer: { id: string; isNew: boolean }
  }
}
