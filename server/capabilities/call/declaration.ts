import * as z from 'zod'
import { capability } from '../capability.ts'

/** Calls with sound and picture inside a live room. */
export const call = capability({
  key: 'call',
  title: 'Calls',
  about: 'People speak and see each other, browser to browser.',
  cost: 'Realtime traffic of the account; small calls run between the browsers',
  settings: z.object({
    mode: z.enum(['auto', 'mesh', 'sfu']).default('auto').meta({
      title: 'How calls are carried',
      description: 'mesh: between the browsers; sfu: through the account; auto: by the number of people.',
    }),
    meshMax: z.int().min(2).max(6).default(4).meta({
      title: 'People between the browsers at most',
      description: 'With more, a call moves to the account.',
    }),
    maxPeers: z.int().min(2).max(50).default(8).meta({
      title: 'People in a call at most',
      description: 'Who comes later is refused.',
    }),
    audioOnly: z.boolean().default(false).meta({
      title: 'Sound only',
      description: 'No pictures are sent.',
    }),
  }),
  dependsOn: () => ['live'],
})
