import { generateKeyPairSync } from 'node:crypto'
import * as z from 'zod'
import { capability, liveBinding, sharedObject } from '../../capability-declaration/capability.ts'

export const push = capability({
  key: 'push',
  title: 'Push notifications',
  about: 'The app notifies people when it is closed.',
  cost: "Little. A request for each notice; the browsers' makers deliver it free of charge",
  erasure: 'in part.ts',
  settings: z.object({
    subject: z
      .string()
      .max(200)
      .regex(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/, 'must be a mailto: or https: address')
      .nullable()
      .default(null)
      .meta({
        title: 'Contact',
        examples: ['mailto:owner@example.com'],
        description: 'What push services are told about the sender. Empty: the address of the app.',
      }),
    icon: z
      .string()
      .max(200)
      .regex(/^\//, 'must be a path of the app')
      .nullable()
      .default(null)
      .meta({
        title: 'Picture',
        examples: ['/icon.png'],
        description: 'A path of the app, shown beside a notification.',
      }),
  }),
  resources: (project) => [sharedObject(project)],
  bindings: (project, tier) => [liveBinding(project, tier)],
  variables: ({ subject, icon }) => ({ PUSH_SUBJECT: subject ?? '', PUSH_ICON: icon ?? '' }),
  generated: {
    vapidKey: {
      binding: 'VAPID_PRIVATE_KEY',
      description:
        'signs notifications for push services: a P-256 key (`openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -outform DER | base64 -w0`)',
      make: () =>
        generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
          .privateKey.export({ type: 'pkcs8', format: 'der' })
          .toString('base64url'),
    },
  },
  dependsOn: () => ['auth'],
})
