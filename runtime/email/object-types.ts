import type { ResultMethod } from '../kernel/calls.ts'
import type { MessageDump } from '../kernel/messages.ts'
import type { InboxCalls, MailObjectCalls } from './calls.ts'

export interface Methods {
  /** The outbox. Called on the directory. */
  mail: ResultMethod<MailObjectCalls>
  /** Received mail. Called on the app's partition. */
  inbox: ResultMethod<InboxCalls>
}

export interface Head {
  inbox?: MessageDump | null
}
