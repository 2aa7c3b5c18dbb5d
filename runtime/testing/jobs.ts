import { env } from 'cloudflare:workers'
import type { HandlersBinding } from '../kernel/objects/runs.ts'
import type { JobName } from '../types.gen.ts'

export interface JobRun {
  done: number
  /** Jobs that used up their attempts, or for which the app has no handler. */
  dead: number
}

interface DeliveryReport {
  explicitAcks: string[]
}

interface Consumer {
  queue(
    queue: string,
    messages: { id: string; timestamp: Date; attempts: number; body: unknown }[],
  ): Promise<DeliveryReport>
}
interface JobBox {
  take(name: 'jobs' | 'dead'): Promise<string[]>
}

/** Above the highest number of attempts that an app may declare, so that a job that always fails becomes a dead letter. */
const ATTEMPTS_MAX = 25

/** Runs the queued jobs, including delayed jobs and jobs that other jobs queue. Retries a failed job at once. */
export async function runJobs(): Promise<JobRun> {
  const app = env['APP_JOBS'] as Consumer
  const box = env['BOX'] as JobBox
  const run: JobRun = { done: 0, dead: 0 }
  for (let bodies = await box.take('jobs'); bodies.length > 0; bodies = await box.take('jobs'))
    for (const body of bodies) {
      const id = crypto.randomUUID()
      for (let attempts = 1; attempts <= ATTEMPTS_MAX; attempts++) {
        const message = { id, timestamp: new Date(), attempts, body: JSON.parse(body) }
        const { explicitAcks } = await app.queue('jobs', [message])
        if (explicitAcks.includes(id)) break
      }
      const dead = (await box.take('dead')).length
      run.dead += dead
      run.done += 1 - dead
    }
  return run
}

/** Runs a file of `server/jobs/` once, as a schedule or a timer does. Throws what the job throws. `userId` is the owner of a timer. */
export async function runJob(
  name: JobName,
  data: unknown = null,
  { at = new Date(), userId = null }: { at?: Date; userId?: string | null } = {},
): Promise<void> {
  const handlers = env['HANDLERS'] as HandlersBinding
  const info = { id: crypto.randomUUID(), attempt: 1, scheduledAt: at.toISOString(), userId }
  const outcome = await handlers.timer(name, data, info)
  if (!outcome.ok) throw new Error(outcome.error)
}
