import { WorkerEntrypoint } from 'cloudflare:workers'
import type { FileBytes } from '../email/parse.ts'
import { storeFiles } from '../email/store-files.ts'
import type { MailEvent, ReceivedAttachment } from '../email/types.ts'
import type { HookEvent } from '../hook/types.ts'
import type { PaidEvent } from '../pay/types.ts'
import { findJob, type JobOutcome, type JobInfo, runJob } from './jobs.ts'

/**
 * Through this the objects run the app's jobs. Only the live worker is bound to it, and a browser cannot reach it.
 * Methods are only added, never changed: the live worker of today calls releases of any age.
 */
export class Handlers extends WorkerEntrypoint {
  /** Runs the job of a schedule. */
  schedule(job: string, info: JobInfo): Promise<JobOutcome> {
    return runJob(job, null, info)
  }

  /** Runs the job of a timer with what was stored for it. */
  timer(job: string, data: unknown, info: JobInfo): Promise<JobOutcome> {
    return runJob(job, data, info)
  }

  /** Runs the job of an endpoint with a message that came in. */
  hook(job: string, event: HookEvent, info: JobInfo): Promise<JobOutcome> {
    return runJob(job, event, info)
  }

  /** Runs the job of a mailbox with a mail that came in. */
  mail(job: string, event: MailEvent, info: JobInfo): Promise<JobOutcome> {
    return runJob(job, event, info)
  }

  /** Runs `server/jobs/paid.ts` with what was paid; an app without it has nothing to do. */
  async paid(event: PaidEvent, info: JobInfo): Promise<JobOutcome> {
    return findJob('paid') === null ? { ok: true } : runJob('paid', event, info)
  }

  /** Stores the files of a mail that came in; without the capability files only their names stay. */
  mailFiles(files: FileBytes[]): Promise<ReceivedAttachment[]> {
    return storeFiles(files)
  }
}

/** `Handlers` as the live worker is bound to it. */
export type HandlersBinding = Pick<Handlers, 'schedule' | 'timer' | 'hook' | 'mail' | 'mailFiles' | 'paid'>
