import * as z from 'zod'
import {
  adminWorker,
  capability,
  liveBinding,
  sharedObject,
} from '../../capability-declaration/capability.ts'

const METERS_MAX = 50
const MeterKey = z.string().regex(/^[a-z][A-Za-z0-9-]{0,59}$/, 'must be the key of a meter like "exports"')

const MeterDeclaration = z.strictObject({
  key: MeterKey,
  per: z.enum(['user', 'team', 'app']),
  window: z.enum(['hour', 'day', 'week', 'month', 'lifetime']),
  limit: z.number().min(0),
})

export type DeclaredMeter = z.output<typeof MeterDeclaration>

export const meter = capability({
  key: 'meter',
  title: 'Usage limits',
  about: 'Counts what each person uses and stops at a limit.',
  cost: 'Little. A request for each use that is counted',
  erasure: 'in part.ts',
  settings: z.object({
    limits: z
      .record(MeterKey.meta({ title: 'Meter' }), z.number().min(0).meta({ title: 'Limit' }))
      // A single variable passes all limits to the app, and the provider limits a variable to 5 kB.
      .refine((limits) => Object.keys(limits).length <= METERS_MAX, `names more than ${METERS_MAX} meters`)
      .default({})
      .meta({
        title: 'Limits',
        examples: [{ letters: 3 }],
        description: 'Other than the app declares, by the key of the meter; they hold at once.',
      }),
  }),
  dependsOn: () => ['auth'],
  resources: (project) => [sharedObject(project), adminWorker(project)],
  bindings: (project, tier) => [liveBinding(project, tier)],
  variables: ({ limits }) => ({ METER_LIMITS: JSON.stringify(limits) }),
  manifest: {
    meters: z
      .array(MeterDeclaration)
      .max(METERS_MAX)
      .refine((meters) => new Set(meters.map(({ key }) => key)).size === meters.length, 'names a key twice')
      .optional(),
  },
})
