import * as z from 'zod'
import type { Binding } from '../../cloudflare/products/upload.ts'
import { appName, type AppTier, type NamedProject } from '../../resource-names.ts'
import { capability, liveBinding, sharedObject } from '../../capability-declaration/capability.ts'
import { DeclaredName, Retries } from '../../capability-declaration/manifest-fields.ts'

export const QueueDeclaration = z.strictObject({
  name: DeclaredName,
  handler: DeclaredName,
  retries: Retries,
})

export type DeclaredQueue = z.output<typeof QueueDeclaration>

export const QueueSettings = z.object({
  maxRetries: z.int().min(0).max(10).default(3).meta({
    title: 'Retries',
    description: 'How often a job that fails is tried again, unless its queue says otherwise.',
  }),
  batchSize: z
    .int()
    .min(1)
    .max(100)
    .default(10)
    .meta({
      title: 'Jobs in a batch',
      examples: [5],
      description: 'At most this many are taken at once.',
    }),
  maxWaitSeconds: z.int().min(0).max(60).default(2).meta({
    title: 'Seconds to wait for a full batch',
    description: 'After that a smaller batch is taken.',
  }),
  retryDelaySeconds: z.int().min(0).max(43_200).default(30).meta({
    title: 'Seconds before a retry',
    description: 'After a job failed.',
  }),
  concurrency: z.int().min(1).max(250).nullable().default(null).meta({
    title: 'Batches at the same time',
    description: 'Empty: as many as the account allows.',
  }),
})

/**
 * Returns how often the provider redelivers a message: the maximum of the operator's setting and the retries that the jobs declare. The
 * app moves the message of a job with fewer retries to the dead letter queue earlier.
 */
export const mostRetries = (
  queues: readonly DeclaredQueue[],
  { maxRetries }: z.output<typeof QueueSettings>,
): number => Math.max(maxRetries, ...queues.map(({ retries }) => retries ?? 0))

/** Each tier has a separate queue, because a binding gives access to the whole queue. */
export const jobsName = (project: NamedProject, tier: AppTier): string => `${appName(project, tier)}-jobs`

/**
 * The queue for a tier's messages that could not be handled. The provider allows names of 63 characters, and a slug has
 * up to 50 characters.
 */
export const deadJobsName = ({ slug }: NamedProject, tier: AppTier): string =>
  tier === 'production' ? `${slug}-jobs-dlq` : `${slug}-jobs-pv-dlq`

const APP_TIERS = ['production', 'preview'] as const

const queueBinding = (name: string, queue: string): Binding => ({ type: 'queue', name, queue_name: queue })

export const queue = capability({
  key: 'queue',
  title: 'Background queue',
  about: 'The app does slow work later and retries what failed.',
  cost: 'By use. Each job that is written, read or removed',
  erasure: { notNeeded: 'Ids and keys of jobs are hashed or random. What a job carries is not looked into.' },
  scopes: ['queues.write'],
  settings: QueueSettings,
  resources: (project: NamedProject) => [
    ...APP_TIERS.map((tier) => ({ kind: 'queue' as const, name: jobsName(project, tier) })),
    ...APP_TIERS.map((tier) => ({ kind: 'queue' as const, name: deadJobsName(project, tier) })),
    // A Durable Object stores which jobs were already requested.
    sharedObject(project),
  ],
  bindings: (project: NamedProject, tier: AppTier) => [
    liveBinding(project, tier),
    queueBinding('JOBS', jobsName(project, tier)),
    queueBinding('DEAD_JOBS', deadJobsName(project, tier)),
  ],
  variables: ({ maxRetries }) => ({ QUEUE_MAX_RETRIES: String(maxRetries) }),
  manifest: {
    queues: QueueDeclaration.array()
      .max(50)
      .refine(
        (queues) => new Set(queues.map(({ name }) => name)).size === queues.length,
        'names a queue twice',
      )
      .optional(),
  },
})
