import * as z from 'zod'
import { capability } from '../capability.ts'

/** Notifications on the devices of app users. */
export const push = capability({
  key: 'push',
  title: 'Push notifications',
  about: 'The app notifies people when it is closed.',
  cost: 'Durable Object requests and storage',
  settings: z.object({
    subject: z
      .string()
      .max(200)
      .regex(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/, 'must be a mailto: or https: address')
      .nullable()
      .default(null)
      .meta({
        title: 'Contact',
        description: 'What push services are told about the sender. Empty: the address of the app.',
      }),
    icon: z.string().max(200).regex(/^\//, 'must be a path of the app').nullable().default(null).meta({
      title: 'Picture',
      description: 'A path of the app, shown beside a notification.',
    }),
  }),
  dependsOn: () => ['auth'],
})
