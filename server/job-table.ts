import { followJob } from './billing/follow.ts'
import { buildJob } from './builds/run/job.ts'
import { connectLocalCloud, connectLocalCodeHost } from './connections/connect-local-world.ts'
import { deployJob } from './releases/deploy-job.ts'
import { previewJob } from './releases/preview-job.ts'
import { provisionJob } from './capabilities/switch/provision.ts'
import { mailJob } from './mail/mail-job.ts'
import type { JobDefinition } from './jobs/jobs.ts'
import { leaveHostingJob } from './relocation/leave-hosting.ts'
import { SCHEDULE } from './schedule-table.ts'

/** The queue of each is created at start-up, before anything is sent. */
export const JOBS: JobDefinition<unknown>[] = [
  buildJob,
  connectLocalCloud,
  connectLocalCodeHost,
  deployJob,
  followJob,
  leaveHostingJob,
  previewJob,
  mailJob,
  provisionJob,
  SCHEDULE.day,
  SCHEDULE.night,
] as JobDefinition<unknown>[]
