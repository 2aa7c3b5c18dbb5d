import * as z from 'zod'
import { capability } from '../capability.ts'
import { DeclaredName } from '../manifest-fields.ts'

/** What people do in the app, counted without knowing who they are. */
export const events = capability({
  key: 'events',
  title: 'Product analytics',
  about: 'You see how people use the app.',
  cost: 'Analytics Engine points written and read',
  settings: z.object({
    sampleRate: z.number().min(0.01).max(1).default(1).meta({
      title: 'Part that is kept',
      description: '1 keeps every event, 0.1 one in ten; counts are scaled up again.',
    }),
    autoPageviews: z.boolean().default(true).meta({
      title: 'Count page views',
      description: 'Without code in the app.',
    }),
  }),
  manifest: {
    events: z
      .array(z.strictObject({ name: DeclaredName, groups: z.array(z.string()).optional() }))
      .optional(),
  },
})
