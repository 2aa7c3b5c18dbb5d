import * as z from 'zod'
import { capability } from '../capability.ts'

const Limit = z.object({
  name: z.string().regex(/^[a-z][A-Za-z0-9-]{0,39}$/, 'must begin with a small letter'),
  limit: z.int().min(1).max(100_000),
  period: z.union([z.literal(10), z.literal(60)]),
  per: z.enum(['ip', 'user']),
})

/** Keeps programs out that pretend to be people. */
export const guard = capability({
  key: 'guard',
  title: 'Bot protection',
  about: 'Keeps bots and floods away.',
  cost: 'Turnstile is free of charge',
  settings: z.object({
    mode: z.enum(['managed', 'non-interactive', 'invisible']).default('managed').meta({
      title: 'What people see',
      description: 'managed asks only when it is not sure.',
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
      .default([])
      .meta({
        title: 'What is protected',
        description: 'auth.signUp, auth.signIn, auth.reset, events, or routes of the app.',
      }),
    limits: z.array(Limit).max(10).default([]).meta({
      title: 'Limits',
      description: 'How often one address or one person may do something in 10 or 60 seconds.',
    }),
  }),
})
