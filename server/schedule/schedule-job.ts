import * as z from 'zod'
import { defineJob, type JobDefinition } from '../jobs/jobs.ts'
import { SCHEDULE } from '../schedule-table.ts'
import type { ScheduledTask } from './task.ts'

const Data = z.object({ task: z.string() })
type Data = z.infer<typeof Data>

/**
 * Returns a job that runs the tasks of this list; a failing task waits for its next time and affects no
 * other.
 */
export function taskJob(
  name: string,
  slots: { concurrency: number; expireSeconds: number },
  tasks: readonly ScheduledTask[],
): JobDefinition<Data> {
  return defineJob<Data>({
    name,
    data: Data,
    policy: 'exclusive',
    key: (data) => data.task,
    // For crashes only: an error thrown by a task is logged here.
    retryLimit: 2,
    ...slots,
    async run(platform, { data, signal }) {
      const task = tasks.find((one) => one.name === data.task)
      // Sent by another release of the service.
      if (task === undefined) return
      const began = performance.now()
      const timed = () => ({ task: task.name, ms: Math.round(performance.now() - began) })
      try {
        await task.run(platform, signal)
        // At `info`, tasks of every minute would hide all other lines.
        platform.log[task.every === 'night' ? 'info' : 'debug'](timed(), 'scheduled task done')
      } catch (err) {
        signal.throwIfAborted()
        platform.log.error({ ...timed(), err }, 'scheduled task failed')
      }
    },
  })
}

/** Short tasks during the day. */
export const scheduleJob = taskJob('schedule', { concurrency: 2, expireSeconds: 600 }, SCHEDULE)
/** A separate queue for the long tasks of the night, so that the short ones do not wait behind them. */
export const nightJob = taskJob('schedule-night', { concurrency: 1, expireSeconds: 3 * 3600 }, SCHEDULE)
