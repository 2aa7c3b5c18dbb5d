import { ApiError, invalid } from '../kernel/errors.ts'
import { fieldsOf } from '../kernel/fields.ts'
import { logError } from '../kernel/objects/log.ts'
import { manifest } from '../manifest.gen.ts'
import type { QueueName } from '../types.gen.ts'
import { queueProducer } from './bindings.ts'
import { requireJobKey } from './job-key.ts'
import { callQueue } from './rpc-client.ts'
import type { Envelope } from './types.ts'
import { DAY_SECONDS } from '../kernel/durations.ts'

/** Cloudflare Queues accepts 128 kB per message and 256 kB per batch, including some overhead. */
const MESSAGE_BYTES_MAX = 120_000
const BATCH_BYTES_MAX = 240_000
const BATCH_MAX = 100
const DELAY_SECONDS_MAX = DAY_SECONDS
const BUSY_RETRY_MS = 100

export interface JobOptions {
  /** Delays the job by at least this many seconds, at most a day. */
  delaySeconds?: number | undefined
  /** Of several jobs with the same key within 24 hours, only one runs. */
  key?: string | undefined
}

export interface Job extends JobOptions {
  name: QueueName
  data?: unknown
}

/** Runs work later, outside of the request. */
export interface ServerQueue {
  /** Resolves once the job is stored in the queue. `data` is JSON of at most 120 kB. */
  send(name: QueueName, data?: unknown, options?: JobOptions): Promise<{ id: string }>
  /** Like `send`, for up to 100 jobs. One invalid job rejects them all. */
  sendMany(jobs: readonly Job[]): Promise<{ id: string }[]>
}

interface PreparedJob {
  body: Envelope
  sizeBytes: number
  delaySeconds: number
  key: string | null
}

export const queue: ServerQueue = {
  send: async (name, data, options = {}) => sendJob(prepareJob({ ...options, name, data })),
  async sendMany(jobs) {
    if (!Array.isArray(jobs) || jobs.length > BATCH_MAX)
      throw invalid('jobs', `must be a list of at most ${BATCH_MAX}`)
    const prepared = jobs.map((job) => prepareJob(fieldsOf(job) as unknown as Job))
    const plain = prepared.filter(({ key }) => key === null)
    if (plain.length > 0) await callQueue('claim', { id: newJobId(), key: null })
    for (const batch of batchesOf(plain)) await sendBatch(batch, 'Not all jobs could be sent. Try again.')
    return Promise.all(
      prepared.map(async (job) => (job.key === null ? { id: job.body.id } : await sendJob(job))),
    )
  },
}

const newJobId = (): string => `job_${crypto.randomUUID().replaceAll('-', '')}`

/** Validates a job. Throws an `invalid_request` that names the field. */
function prepareJob({ name, data = null, delaySeconds = 0, key }: Job): PreparedJob {
  if (manifest.queues?.some((one) => one.name === name) !== true)
    throw invalid('name', `there is no queue ${name}; app.json declares them`)
  if (!Number.isInteger(delaySeconds) || delaySeconds < 0 || delaySeconds > DELAY_SECONDS_MAX)
    throw invalid('delaySeconds', `must be a whole number from 0 to ${DELAY_SECONDS_MAX}`)
  const body: Envelope = { v: 1, name, id: newJobId(), data }
  const sizeBytes = new TextEncoder().encode(envelopeJson(body)).length
  if (sizeBytes > MESSAGE_BYTES_MAX) throw invalid('data', `is larger than ${MESSAGE_BYTES_MAX / 1000} kB`)
  return { body, sizeBytes, delaySeconds, key: key == null ? null : requireJobKey(key) }
}

function envelopeJson(body: Envelope): string {
  try {
    return JSON.stringify(body)
  } catch {
    throw invalid('data', 'must be JSON')
  }
}

/** Sends a job. While another request is sending a job with the same key, waits for the result of that request. */
async function sendJob({ body, delaySeconds, key }: PreparedJob): Promise<{ id: string }> {
  for (;;) {
    const claim = await callQueue('claim', { id: body.id, key })
    if (claim.state === 'sent') return { id: claim.id }
    if (claim.state === 'busy') {
      await new Promise((resolve) => setTimeout(resolve, BUSY_RETRY_MS))
      continue
    }
    try {
      const envelope = { ...body, id: claim.id }
      await sendBatch([{ body: envelope, delaySeconds }], 'The job could not be sent. Try again.')
    } catch (error) {
      // When the release also fails, the key is free once the claim expires.
      if (key !== null) await callQueue('release', { key }).catch(() => {})
      throw error
    }
    if (key !== null) await markSent(key, body.name)
    return { id: claim.id }
  }
}

/**
 * Stores that the job with this key is in the queue. A Durable Object that is restarting rejects the first call, so the call is made twice.
 * A second failure is only logged: the job is in the queue, and a sender that got an error would send the job again.
 */
async function markSent(key: string, name: string): Promise<void> {
  const call = () => callQueue('sent', { key })
  await call()
    .catch(call)
    .catch((error: unknown) => logError(error, { route: `queue ${name}` }))
}

async function sendBatch(
  jobs: readonly Pick<PreparedJob, 'body' | 'delaySeconds'>[],
  refusal: string,
): Promise<void> {
  const jobsQueue = queueProducer('JOBS')
  try {
    await jobsQueue.sendBatch(
      jobs.map(({ body, delaySeconds }) => ({ body, contentType: 'json', delaySeconds })),
    )
  } catch (cause) {
    throw new ApiError('unavailable', refusal, { cause })
  }
}

function batchesOf(jobs: readonly PreparedJob[]): PreparedJob[][] {
  const batches: PreparedJob[][] = []
  let sizeBytes = BATCH_BYTES_MAX
  for (const job of jobs) {
    if (sizeBytes + job.sizeBytes > BATCH_BYTES_MAX) {
      batches.push([])
      sizeBytes = 0
    }
    batches.at(-1)?.push(job)
    sizeBytes += job.sizeBytes
  }
  return batches
}
