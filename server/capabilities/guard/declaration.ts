import * as z from 'zod'
import { capability, liveBinding, sharedObject } from '../../capability-declaration/capability.ts'
import type { NamedProject } from '../../resource-names.ts'

const Limit = z.object({
  name: z
    .string()
    .regex(/^[a-z][A-Za-z0-9-]{0,39}$/, 'must begin with a small letter')
    .meta({ title: 'Name', description: 'What code calls it.' }),
  limit: z.int().min(1).max(100_000).meta({ title: 'Times', description: 'How often within the period.' }),
  period: z
    .union([z.literal(10), z.literal(60)])
    .meta({ title: 'Period', description: 'In seconds: 10 or 60.' }),
  per: z.enum(['ip', 'user']).meta({
    title: 'Per',
    description: 'ip counts a network address; user a person who is signed in, and the address of any other.',
  }),
})

export const GuardSettings = z.object({
  mode: z
    .enum(['managed', 'non-interactive', 'invisible'])
    .default('managed')
    .meta({
      title: 'What people see',
      description:
        'managed: a box that asks only when it is not sure. non-interactive: a box that never asks. invisible: nothing.',
      examples: ['invisible'],
    }),
  protect: z
    .array(
      z
        .string()
        .regex(
          /^(auth\.(signUp|signIn|reset)|events|\/\S{0,199})$/,
          'must be a protected part or a path of the app',
        ),
    )
    .max(50)
    .refine((all) => JSON.stringify(all).length <= 4500, 'is too long')
    .default([])
    .meta({
      title: 'What is protected',
      examples: [['auth.reset']],
      description: 'auth.signUp, auth.signIn, auth.reset, events, or paths of the app, like /api/contact.',
    }),
  limits: z
    .array(Limit)
    .max(10)
    .refine(
      (all) => new Set(all.map(({ name }) => name)).size === all.length,
      'two limits have the same name',
    )
    .default([])
    .meta({
      title: 'Limits',
      examples: [[{ name: 'letters', limit: 20, period: 10, per: 'ip' }]],
      description: 'How often one address or one person may do something in 10 or 60 seconds.',
    }),
})

export const widgetName = ({ slug }: NamedProject): string => `${slug}-guard`

/** The name under which the widget's secret is stored. The secret is stored because the provider shows it only once. */
export const WIDGET_SECRET = 'widgetSecret'

export const guard = capability({
  key: 'guard',
  title: 'Bot protection',
  about: 'Keeps bots and floods away.',
  cost: 'Little. The bot check is free of charge, and counting what a visitor does is a request each time',
  erasure: {
    notNeeded: 'The provider counts requests, for at most a minute.',
  },
  scopes: ['challenge-widgets.write'],
  settings: GuardSettings,
  resources: (project) => [{ kind: 'widget', name: widgetName(project) }, sharedObject(project)],
  bindings: (project, tier) => [liveBinding(project, tier)],
  variables: ({ protect, limits }) => ({
    GUARD_PROTECT: JSON.stringify(protect),
    GUARD_LIMITS: JSON.stringify(limits.map(({ name, per }) => ({ name, per }))),
  }),
  generated: {
    [WIDGET_SECRET]: {
      binding: 'GUARD_SECRET',
      description:
        'is the secret of a Turnstile widget for the hosts of the app; its site key is the variable `GUARD_SITE_KEY`',
      make: null,
    },
  },
  byHand:
    'Bots are kept out by a Turnstile widget of your account. Give the worker with `-live` the variables `GUARD_SITE_KEY`, ' +
    '`GUARD_PROTECT` (a JSON list like `["auth.signUp"]`) and, for limits, `GUARD_LIMITS` with a `ratelimit` binding `GUARD_LIMIT_<n>` each.',
})
