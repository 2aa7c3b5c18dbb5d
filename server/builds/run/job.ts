import * as z from 'zod'
import { defineJob } from '../../jobs/definition.ts'
import type { PlatformPorts } from '../../platform.ts'
import type { PublishPorts } from '../../resources/work.ts'
import { runBuild } from './execute.ts'
import { abandonRun } from './takeover.ts'

const TWO_HOURS_SECONDS = 7_200

/**
 * Runs one build at a time per project. The job is retried only when the process of the previous attempt died, stopped, or
 * lost its database for long. takeover.ts limits how many process deaths a run survives.
 */
export const buildJob = defineJob({
  name: 'build',
  data: z.object({ runId: z.string(), projectId: z.string() }),
  policy: 'key_strict_fifo',
  key: (data) => data.projectId,
  retryLimit: 20,
  expireSeconds: TWO_HOURS_SECONDS,
  concurrency: 4,
  run: (
    platform: PlatformPorts<PublishPorts | 'jobs' | 'listener' | 'textWorkers' | 'metrics'>,
    { data, signal },
  ) => runBuild(platform, data.runId, signal),
  abandon: (platform, data) => abandonRun(platform, data.runId),
})
