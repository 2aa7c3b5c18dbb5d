import * as z from 'zod'
import { capability } from '../capability.ts'
import { DeclaredName } from '../manifest-fields.ts'

const ENDPOINTS_MAX = 20
const Name = z.string().regex(/^[a-z][A-Za-z0-9-]{0,59}$/, 'must begin with a small letter')

/** How a sender signs its messages. */
const Scheme = z.enum(['standard', 'stripe', 'github', 'slack', 'shopify', 'slipway', 'token', 'hmac'])

const Endpoint = z.object({
  scheme: Scheme.optional(),
  header: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be the name of a header')
    .optional(),
  encoding: z.enum(['hex', 'base64']).optional(),
  prefix: z.string().max(50).optional(),
  signed: z.string().max(200).optional(),
  collection: z.string().max(40).optional(),
})

/** Messages of other services, verified and kept as records. */
export const hook = capability({
  key: 'hook',
  title: 'Incoming webhooks',
  cost: 'Durable Object requests and storage',
  settings: z.object({
    endpoints: z
      .record(Name, Endpoint)
      .refine((all) => Object.keys(all).length <= ENDPOINTS_MAX, `has more than ${ENDPOINTS_MAX} endpoints`)
      .default({})
      .meta({
        title: 'Endpoints',
        description: 'How each is signed, where the app does not say, and those that are only collected.',
      }),
    keepDays: z.int().min(1).max(365).default(30).meta({
      title: 'Days a message is kept',
      description: 'After that its record is removed.',
    }),
  }),
  secrets: ({ endpoints }) =>
    Object.fromEntries(
      Object.keys(endpoints).map((name) => [
        `${name}Secret`,
        {
          schema: z.string().min(1).max(500),
          title: `Secret of ${name}`,
          description: 'The sender signs with it. Without it every message is refused.',
          binding: `HOOK_${name.replaceAll('-', '_').toUpperCase()}_SECRET`,
        },
      ]),
    ),
  dependsOn: () => ['data'],
  manifest: {
    hooks: z
      .array(
        z.strictObject({
          name: DeclaredName,
          scheme: Scheme,
          collection: z.string(),
          handler: DeclaredName.optional(),
        }),
      )
      .optional(),
  },
})
