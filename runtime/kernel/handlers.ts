import { WorkerEntrypoint } from 'cloudflare:workers'
import type { FileBytes } from '../email/parse.ts'
import { storeFiles } from '../email/store-files.ts'
import type { MailEvent, ReceivedAttachment } from '../email/types.ts'
import type { HookEvent } from '../hook/types.ts'
import type { PaidEvent } from '../pay/types.ts'
import { findJob, type JobOutcome, type JobInfo, runJob } from './jobs.ts'

/**
 * Through this the objects run the app's jobs. Only the live worker is bound to it, and a browser cannot reach it. Methods are
 * added, never changed: the live worker of today calls releases of any age.
 */
export class Handlers extends WorkerEntrypoint {
  schedule(job: string, info: JobInfo): Promise<JobOutcome> {
    return runJob(job, null, info)
  }

  timer(job: string, data: unknown, info: JobInfo): Promise<JobOutcome> {
    return runJob(job, data, info)
  }

  hook(job: string, event: HookEvent, info: JobInfo): Promise<JobOutcome> {
    return runJob(job, event, info)
  }

  mail(job: string, event: MailEvent, info: JobInfo): Promise<JobOutcome> {
    return runJob(job, event, info)
  }

  /** An app without `server/jobs/paid.ts` has nothing to do. */
  async paid(event: PaidEvent, info: JobInfo): Promise<JobOutcome> {
    return findJob('paid') === null ? { ok: true } : runJob('paid', event, info)
  }

  /** Without the capability files only the names of the files are kept. */
  mailFiles(files: FileBytes[]): Promise<ReceivedAttachment[]> {
    return storeFiles(files)
  }
}

/** `Handlers` as the live worker is bound to it. */
export type HandlersBinding = Pick<Handlers, 'schedule' | 'timer' | 'hook' | 'mail' | 'mailFiles' | 'paid'>
