import * as z from 'zod'
import type { AppTier, NamedProject } from '../../resource-names.ts'
import { capability, liveBinding, sharedObject } from '../../capability-declaration/capability.ts'

const EVENTS_MAX = 100
/** The runtime records this event for every page, so an app cannot declare it. */
const RESERVED_EVENT = 'pageview'
const GROUP_CHARS_MAX = 64

const EventDeclaration = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][A-Za-z0-9-]{0,59}$/, 'must be the name of an event like "signed-up"')
    .refine((name) => name !== RESERVED_EVENT, 'is counted for every page without being declared'),
  groups: z.array(z.string().min(1).max(GROUP_CHARS_MAX)).max(50).optional(),
})

export type DeclaredEvent = z.output<typeof EventDeclaration>

/** Returns the name of a tier's dataset in Analytics Engine. A dataset is created by its first row and cannot be deleted. */
export function datasetName({ slug }: NamedProject, tier: AppTier): string {
  const words = slug.replaceAll('-', '_')
  // In SQL a name must begin with a letter or an underscore.
  const name = `${/^\d/.test(words) ? '_' : ''}${words}_events`
  return tier === 'production' ? name : `${name}_preview`
}

export const events = capability({
  key: 'events',
  title: 'Product analytics',
  about: 'You see how people use the app.',
  cost: 'By use. Each event that is counted, and each look at the figures',
  erasure: { notNeeded: 'Events are stored with a pseudonym of one day, of which no person can be found.' },
  scopes: ['account-analytics.read'],
  settings: z.object({
    sampleRate: z
      .number()
      .min(0.01)
      .max(1)
      .default(1)
      .meta({
        title: 'Part that is kept',
        examples: [0.5],
        description: '1 keeps every visitor, 0.1 one in ten; counts are scaled up again.',
      }),
    autoPageviews: z.boolean().default(true).meta({
      title: 'Count page views',
      description: 'Without code in the app.',
    }),
  }),
  resources: (project) => [sharedObject(project)],
  bindings: (project, tier) => [
    liveBinding(project, tier),
    { type: 'analytics_engine', name: 'EVENTS', dataset: datasetName(project, tier) },
  ],
  variables: ({ sampleRate, autoPageviews }) => ({
    EVENTS_SAMPLE_RATE: String(sampleRate),
    EVENTS_PAGE_VIEWS: autoPageviews ? 'on' : 'off',
  }),
  byHand:
    'Events are written to the Analytics Engine dataset of the binding `EVENTS`: blobs are name, group, visitor and path, ' +
    'doubles are value and weight. `EVENTS_PAGE_VIEWS=off` of the live worker counts no page views.',
  manifest: {
    events: z
      .array(EventDeclaration)
      .max(EVENTS_MAX)
      .refine(
        (events) => new Set(events.map(({ name }) => name)).size === events.length,
        'names an event twice',
      )
      .optional(),
  },
})
