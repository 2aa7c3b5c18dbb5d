import { WorkerEntrypoint } from 'cloudflare:workers'
import type { FileBytes } from '../../email/parse.ts'
import { storeFiles } from '../../email/store-files.ts'
import type { MailEvent, ReceivedAttachment } from '../../email/types.ts'
import type { HookEvent } from '../../hook/types.ts'
import type { PaidEvent } from '../../pay/types.ts'
import { findJob, type JobOutcome, type JobInfo, runJob } from '../../kernel/objects/jobs.ts'
import type { HandlersBinding } from '../../kernel/objects/runs.ts'

/**
 * The RPC entrypoint through which the Durable Objects run the app's jobs. Only the live worker is bound to
 * it; browsers cannot reach it. The live worker may be newer than this release, so add methods and never
 * change one.
 */
export class Handlers extends WorkerEntrypoint implements HandlersBinding {
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

  /** An app without `server/jobs/paid.ts` has nothing to do, which counts as success. */
  async paid(event: PaidEvent, info: JobInfo): Promise<JobOutcome> {
    return findJob('paid') === null ? { ok: true } : runJob('paid', event, info)
  }

  /** Stores attachments. While the capability `files` is off, only their names are kept. */
  mailFiles(files: FileBytes[]): Promise<ReceivedAttachment[]> {
    return storeFiles(files)
  }
}
