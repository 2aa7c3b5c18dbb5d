import { syncSubscriptionJob } from '../billing/sync-subscription.ts'
import { buildJob } from '../builds/run/job.ts'
import { connectLocalCloud, connectLocalCodeHost } from '../connections/connect-local-world.ts'
import { deployJob } from '../releases/deploy-job.ts'
import { previewJob } from '../releases/preview-job.ts'
import { provisionJob } from '../capabilities/switch/provision.ts'
import { mailJob } from '../mail/mail-job.ts'
import type { JobDefinition } from '../jobs/jobs.ts'
import type { Platform } from '../platform.ts'
import { leaveHostingJob } from '../relocation/leave-hosting.ts'
import { TASK_SCHEDULE } from './schedule-table.ts'

/** All kinds of jobs. Their queues are created at start-up, before a job can be sent. */
export const JOB_TABLE: JobDefinition<unknown, Platform>[] = [
  buildJob,
  connectLocalCloud,
  connectLocalCodeHost,
  deployJob,
  syncSubscriptionJob,
  leaveHostingJob,
  previewJob,
  mailJob,
  provisionJob,
  TASK_SCHEDULE.day,
  TASK_SCHEDULE.night,
] as JobDefinition<unknown, Platform>[]
