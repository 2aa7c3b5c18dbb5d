import * as z from 'zod'
import { capability } from '../capability.ts'
import { DeclaredName } from '../manifest-fields.ts'

/** Allowances of people, teams or the whole app. */
export const meter = capability({
  key: 'meter',
  title: 'Usage limits',
  cost: 'Durable Object requests and storage',
  settings: z.object({
    limits: z
      .record(z.string().regex(/^[a-z][A-Za-z0-9-]{0,59}$/, 'must be the key of a meter'), z.number().min(0))
      .default({})
      .meta({
        title: 'Limits',
        description: 'Other than the app declares, by the key of the meter; they hold at once.',
      }),
  }),
  dependsOn: () => ['auth'],
  manifest: {
    meters: z
      .array(
        z.strictObject({
          key: DeclaredName,
          per: z.enum(['user', 'team', 'app']),
          window: z.enum(['hour', 'day', 'week', 'month', 'lifetime']),
          limit: z.number().min(0),
        }),
      )
      .max(50)
      .optional(),
  },
})
