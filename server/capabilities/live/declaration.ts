import * as z from 'zod'
import { capability } from '../capability.ts'
import { DeclaredName } from '../manifest-fields.ts'

/** Rooms in which people see each other and share a state. */
export const live = capability({
  key: 'live',
  title: 'Live rooms',
  about: 'People in the same room see each other act.',
  cost: 'Durable Object requests and duration',
  settings: z.object({
    maxPeers: z.int().min(1).max(500).default(50).meta({
      title: 'People in a room at most',
      description: 'Who comes later is refused.',
    }),
    historyLimit: z.int().min(0).max(1000).default(100).meta({
      title: 'Messages kept in a room',
      description: 'For people who come later.',
    }),
    allowAnonymous: z.boolean().default(false).meta({
      title: 'Without signing in',
      description: 'Off: a public room is open to everyone who is signed in.',
    }),
  }),
  dependsOn: ({ allowAnonymous }) => (allowAnonymous ? [] : ['auth']),
  manifest: {
    rooms: z
      .array(
        z.strictObject({
          room: DeclaredName,
          access: z.enum(['public', 'members', 'team', 'staff']),
          history: z.int().min(0).optional(),
        }),
      )
      .optional(),
  },
})
