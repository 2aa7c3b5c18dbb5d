import * as z from 'zod'
import { defineJob, type JobDefinition } from '../jobs/jobs.ts'
import type { Core } from '../core.ts'
import type { ScheduledTask } from '../scheduled-task.ts'

const JobData = z.object({ task: z.string() })
type JobData = z.infer<typeof JobData>

/** `Given` is what every task can get. */
export interface TaskTable<Given> {
  tasks: readonly ScheduledTask<Given>[]
  /** The job for short tasks. A long task would delay the tasks that run every minute. */
  day: JobDefinition<JobData, Given>
  /** The job for the long tasks of the night. It has a separate queue, so that it does not delay the tasks that run every minute. */
  night: JobDefinition<JobData, Given>
}

/**
 * Returns the jobs that run these tasks. A task that throws is logged and runs again at its next time; other
 * tasks are not affected.
 */
export function taskTable<Given extends Pick<Core, 'log'>>(
  tasks: readonly ScheduledTask<Given>[],
): TaskTable<Given> {
  return {
    tasks,
    day: taskJob('schedule', { concurrency: 2, expireSeconds: 600 }, tasks),
    night: taskJob('schedule-night', { concurrency: 1, expireSeconds: 3 * 3600 }, tasks),
  }
}

function taskJob<Given extends Pick<Core, 'log'>>(
  name: string,
  slots: { concurrency: number; expireSeconds: number },
  tasks: readonly ScheduledTask<Given>[],
): JobDefinition<JobData, Given> {
  return defineJob<JobData, Given>({
    name,
    data: JobData,
    policy: 'exclusive',
    key: (data) => data.task,
    // Retries are for crashes only: an error that a task throws is logged below.
    retryLimit: 2,
    ...slots,
    async run(platform, { data, signal }) {
      const task = tasks.find((one) => one.name === data.task)
      // A job for an unknown task was sent by another release of the service.
      if (task === undefined) return
      const began = performance.now()
      const taskTiming = () => ({ task: task.name, ms: Math.round(performance.now() - began) })
      try {
        await task.run(platform, signal)
        // At `info` the tasks of every minute would fill the log.
        platform.log[task.every === 'night' ? 'info' : 'debug'](taskTiming(), 'scheduled task done')
      } catch (err) {
        signal.throwIfAborted()
        platform.log.error({ ...taskTiming(), err }, 'scheduled task failed')
      }
    },
  })
}
