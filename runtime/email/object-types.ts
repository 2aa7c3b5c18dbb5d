import type { ResultMethod } from '../kernel/objects/calls.ts'
import type { MessageDump } from '../kernel/objects/messages.ts'
import type { InboxCalls, MailObjectCalls } from './calls.ts'
import type { createMail } from './object.ts'
import type { JobInfo, JobOutcome } from '../kernel/objects/jobs.ts'
import type { FileBytes } from './parse.ts'
import type { MailEvent, ReceivedAttachment } from './types.ts'

export interface Methods {
  /** Mail to send. The Durable Object of the directory stores it. */
  mail: ResultMethod<MailObjectCalls>
  /** Received mail. The Durable Object with the app's records stores it. */
  inbox: ResultMethod<InboxCalls>
}

export interface Head {
  inbox?: MessageDump | null
}

declare module '../kernel/objects/part.ts' {
  interface LazyParts {
    createMail: typeof createMail
  }
}

declare module '../kernel/objects/runs.ts' {
  interface HandlersBinding {
    mail(job: string, event: MailEvent, info: JobInfo): Promise<JobOutcome>
    /**
     * Stores attachments. While the capability `files` is off, it returns their names, types and sizes
     * without storing them.
     */
    mailFiles(files: FileBytes[]): Promise<ReceivedAttachment[]>
  }
}
