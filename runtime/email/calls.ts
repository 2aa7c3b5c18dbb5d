import type { MailboxSettings } from './settings.ts'
import type { KeptMail, ListedMail, Mail, OutboxDump } from './store.ts'
import type { MailEvent, Outgoing } from './types.ts'

export interface MailObjectCalls {
  /** Throws `rate_limited` past a limit. */
  send: { ask: { id: string; mail: Outgoing }; answer: { id: string } }
  /** For a message that may be missed: past a limit it is dropped. In the preview it is kept and not sent. */
  offer: { ask: { id: string; kind: 'invitation' | 'notice'; mail: Mail }; answer: void }
  /** For a message of the runtime: past a limit it waits. Null does the same work and stores nothing. */
  queue: { ask: { mail: Mail | null; goodForMs: number }; answer: void }
  /** For the preview: the message is never sent. */
  capture: { ask: { mail: Outgoing }; answer: void }
  list: { ask: { limit: number }; answer: ListedMail[] }
  unsent: { ask: { limit: number }; answer: KeptMail[] }
  /** Makes mail that waits for its first attempt due at once, for instance after a domain was verified. */
  resume: { ask: null; answer: void }
  dump: { ask: null; answer: OutboxDump | null }
  restore: { ask: OutboxDump; answer: void }
}

export type NewMail = Omit<MailEvent, 'id' | 'receivedAt' | 'mailbox'>

/** Calls of the app's partition about received mail. */
export interface InboxCalls {
  seen: { ask: { mailbox: string; messageId: string }; answer: boolean }
  /** `hash` names the release that is served, which the partition must know. */
  take: {
    ask: { hash: string; mailbox: MailboxSettings; mail: NewMail }
    answer: { id: string; isNew: boolean }
  }
}
