import * as z from 'zod'
import { capability } from '../capability.ts'
import { DeclaredName } from '../manifest-fields.ts'

/** Work in steps that survives restarts and may wait for days. */
export const flow = capability({
  key: 'flow',
  title: 'Durable flows',
  about: 'Work of many steps that continues after any interruption.',
  cost: 'Workflows requests, CPU and storage',
  settings: z.object({
    retentionDays: z.int().min(1).max(30).default(7).meta({
      title: 'Days a finished flow is kept',
      description: 'A free account keeps 3 at most.',
    }),
    concurrency: z.int().min(1).max(1000).nullable().default(null).meta({
      title: 'Flows at the same time',
      description: 'Empty: as many as the account allows.',
    }),
    maxSteps: z.int().min(1).max(1024).default(256).meta({
      title: 'Steps of a flow at most',
      description: 'One more ends it.',
    }),
  }),
  manifest: {
    flows: z.array(z.strictObject({ name: DeclaredName, handler: DeclaredName })).optional(),
  },
})
