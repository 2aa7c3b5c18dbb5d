import * as z from 'zod'
import { capability } from '../capability.ts'
import { DeclaredName, Retries } from '../manifest-fields.ts'

/** Work the app does later, outside of a request. */
export const queue = capability({
  key: 'queue',
  title: 'Background queue',
  cost: 'Queues operations',
  settings: z.object({
    maxRetries: z.int().min(0).max(10).default(3).meta({
      title: 'Repeats',
      description: 'Of work that fails, where the queue does not say.',
    }),
    batchSize: z.int().min(1).max(100).default(10).meta({
      title: 'Messages taken at once',
      description: 'At most.',
    }),
    maxWaitSeconds: z.int().min(0).max(60).default(2).meta({
      title: 'Seconds to wait for a full batch',
      description: 'Then what is there is taken.',
    }),
    retryDelaySeconds: z.int().min(0).max(43_200).default(30).meta({
      title: 'Seconds before a repeat',
      description: 'After work that failed.',
    }),
    concurrency: z.int().min(1).max(250).nullable().default(null).meta({
      title: 'Batches at the same time',
      description: 'Empty: as many as the account allows.',
    }),
  }),
  manifest: {
    queues: z
      .array(z.strictObject({ name: DeclaredName, handler: DeclaredName, retries: Retries }))
      .optional(),
  },
})
