import { buildJob } from './builds/build-job.ts'
import { connectLocalCodeHost } from './connections/code-host-job.ts'
import { connectLocalCloud } from './connections/connect-local-cloud.ts'
import { deployJob } from './releases/deploy-job.ts'
import { previewJob } from './versions/preview-job.ts'
import { provisionJob } from './capabilities/switch/provision.ts'
import { mailJob } from './mail/mail-job.ts'
import type { JobDefinition } from './jobs/jobs.ts'
import { leaveHostingJob } from './relocation/leave-hosting.ts'
import { nightJob, scheduleJob } from './schedule/schedule-job.ts'

/** Every kind of background work; a queue exists for each before anything is sent. */
export const JOBS: JobDefinition<unknown>[] = [
  buildJob,
  connectLocalCloud,
  connectLocalCodeHost,
  deployJob,
  leaveHostingJob,
  previewJob,
  mailJob,
  provisionJob,
  scheduleJob,
  nightJob,
] as JobDefinition<unknown>[]
