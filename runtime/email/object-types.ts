import type { AnsweringMethod } from '../kernel/calls.ts'
import type { MessageDump } from '../kernel/messages.ts'
import type { InboxCalls, MailObjectCalls } from './calls.ts'

export interface Methods {
  /** The outbox of mail, in the directory. */
  mail: AnsweringMethod<MailObjectCalls>
  /** Received mail, in the app's partition. */
  inbox: AnsweringMethod<InboxCalls>
}

export interface Head {
  inbox?: MessageDump | null
}
