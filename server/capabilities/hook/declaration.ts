import { secretBinding } from '@slipway/runtime/hook/settings.ts'
import * as z from 'zod'
import { capability, liveBinding, sharedObject } from '../../capability-declaration/capability.ts'
import { DeclaredName } from '../../capability-declaration/manifest-fields.ts'

const ENDPOINTS_MAX = 20
const Name = z.string().regex(/^[a-z][A-Za-z0-9-]{0,59}$/, 'must begin with a small letter')

const Scheme = z.enum(['standard', 'stripe', 'github', 'slack', 'shopify', 'slipway', 'token', 'hmac'])

const HookDeclaration = z.strictObject({
  name: Name,
  scheme: Scheme,
  collection: z.string(),
  handler: DeclaredName.optional(),
})

export type DeclaredHook = z.output<typeof HookDeclaration>

const Declared = z.looseObject({ hooks: z.array(HookDeclaration).default([]) })

const Endpoint = z.object({
  scheme: Scheme.optional().meta({
    title: 'Scheme',
    description: 'How the sender signs; only for an endpoint that the app does not declare.',
  }),
  header: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be the name of a header')
    .optional()
    .meta({ title: 'Header', description: 'For token and hmac: the header with the token or signature.' }),
  encoding: z
    .enum(['hex', 'base64'])
    .optional()
    .meta({ title: 'Encoding', description: 'For hmac: how the signature is encoded. Default: hex.' }),
  prefix: z.string().max(50).optional().meta({
    title: 'Prefix',
    description: 'For token and hmac: the text before the token or signature, like `sha256=`.',
  }),
  signed: z
    .string()
    .max(200)
    .regex(/\{body\}/, 'must name {body}')
    .optional()
    .meta({
      title: 'What is signed',
      description: 'For hmac: `{body}`, or a text with it and `{<header>}`, like `{x-timestamp}.{body}`.',
    }),
  collection: z
    .string()
    .max(40)
    .optional()
    .meta({ title: 'Collection', description: 'Where messages become records. Without it hookEvents.' }),
})

const bindingsOf = (names: readonly string[]) => names.map(secretBinding)

/** A variable of the live worker holds at most 5 kB. */
const ENDPOINTS_CHARS_MAX = 4500

/** The format of a Standard Webhooks secret: `whsec_` and at least 24 bytes in base64. */
const SendKey = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,100}={0,2}$/, 'must be whsec_ and 24 to 64 random bytes in base64')

export const hook = capability({
  key: 'hook',
  title: 'Incoming webhooks',
  about: 'Other services tell the app what happened.',
  cost: 'Little. A request for each call that arrives, and the storage of what it said',
  erasure: { notNeeded: 'Messages of other services become records of the app, which belong to no person.' },
  settings: z.object({
    endpoints: z
      .record(Name, Endpoint)
      .refine((all) => Object.keys(all).length <= ENDPOINTS_MAX, `has more than ${ENDPOINTS_MAX} endpoints`)
      .refine((all) => {
        const bindings = bindingsOf(Object.keys(all))
        return new Set(bindings).size === bindings.length
      }, 'two endpoints differ only in capitals or dashes')
      .refine((all) => JSON.stringify(all).length <= ENDPOINTS_CHARS_MAX, 'is too long')
      .default({})
      .meta({
        title: 'Endpoints',
        description: 'Each endpoint that has a secret, by name. Its other settings are optional.',
      }),
    keepDays: z
      .int()
      .min(1)
      .max(365)
      .default(30)
      .meta({
        title: 'Days a message is kept',
        examples: [7],
        description: 'After that its record is removed.',
      }),
  }),
  resources: (project) => [sharedObject(project)],
  bindings: (project, tier) => [liveBinding(project, tier)],
  callsApp: () => true,
  lacks: ({ endpoints }, manifest) =>
    Declared.parse(manifest)
      .hooks.filter(({ name }) => !Object.hasOwn(endpoints, name))
      .map(
        ({ name }) =>
          `The endpoint ${name} is not among the settings, so it has no secret and refuses every message.`,
      ),
  variables: ({ endpoints, keepDays }) => ({
    HOOK_ENDPOINTS: JSON.stringify(endpoints),
    HOOK_KEEP_DAYS: String(keepDays),
  }),
  secrets: ({ endpoints }) => ({
    ...Object.fromEntries(
      Object.keys(endpoints).map((name) => [
        `${name}Secret`,
        {
          schema: z.string().min(8).max(500),
          title: `Secret of ${name}`,
          description: 'The sender signs with it. Without it every message is refused.',
          binding: secretBinding(name),
        },
      ]),
    ),
    sendKey: {
      schema: SendKey,
      title: 'Key for messages the app sends',
      description: 'Signs what `hook.send` sends (Standard Webhooks); receivers verify with the same key.',
      binding: 'HOOK_SEND_KEY',
      isOptional: true,
    },
  }),
  byHand:
    'Messages of other services come to `/_app/hook/<name>`. For each endpoint put its secret as ' +
    '`HOOK_<NAME>_SECRET` (capitals, `_` for `-`); without one it accepts nothing. `HOOK_SEND_KEY` (`whsec_` and 24 ' +
    'random bytes in base64) signs what the app sends.',
  dependsOn: () => ['data'],
  manifest: {
    hooks: z
      .array(HookDeclaration)
      .max(ENDPOINTS_MAX)
      .refine((hooks) => {
        const bindings = bindingsOf(hooks.map(({ name }) => name))
        return new Set(bindings).size === bindings.length
      }, 'names an endpoint twice')
      .optional(),
  },
})
