import { isPublicName } from '@slipway/runtime/kernel/public-url.ts'
import * as z from 'zod'
import {
  adminWorker,
  capability,
  liveBinding,
  sharedObject,
} from '../../capability-declaration/capability.ts'

const MIB = 1024 * 1024

export const render = capability({
  key: 'render',
  title: 'Page rendering',
  about: 'The app turns pages into pictures and PDFs.',
  cost: 'By use. The time a browser works on a page; the pages a month are limited',
  erasure: { notNeeded: 'Only pages are counted.' },
  scopes: ['browser-rendering.write'],
  settings: z.object({
    monthly: z.int().min(1).max(100_000).default(500).meta({
      title: 'Pages a month',
      description: 'Further requests of the app are refused until the first of the next month (UTC).',
    }),
    timeoutMs: z.int().min(1000).max(60_000).default(15_000).meta({
      title: 'Milliseconds a page may take',
      description: 'A rendering that takes longer fails.',
    }),
    allowedHosts: z
      .array(
        z
          .string()
          .regex(/^[a-z0-9.-]{1,253}$/, 'must be a host name')
          .refine(isPublicName, 'must be the name of a public host'),
      )
      .max(50)
      .default([])
      .meta({
        title: 'Hosts',
        examples: [['example.org']],
        description: 'Hosts whose pages may be opened, besides the hosts of the app.',
      }),
    maxBytes: z
      .int()
      .min(1024)
      .max(100 * MIB)
      .default(10 * MIB)
      .meta({
        title: 'Largest result in bytes',
        description: 'A larger result is refused.',
      }),
  }),
  resources: (project) => [sharedObject(project), adminWorker(project)],
  bindings: (project, tier) => [liveBinding(project, tier), { type: 'browser', name: 'BROWSER' }],
  // Pages that the operator renders count towards the same limit as pages that the live app renders.
  operatorBindings: (project) => [
    { ...liveBinding(project, 'production'), name: 'RENDERS' },
    { type: 'browser', name: 'BROWSER' },
  ],
  variables: (settings) => ({ RENDER: JSON.stringify(settings) }),
  byHand:
    'Pages are rendered by Browser Run of your account, through the binding `BROWSER`. The variable `RENDER` of the live worker ' +
    'sets its limits, like `{"monthly":500,"allowedHosts":["example.org"]}`; give the app\'s worker its own address in `APP_URL`.',
})
