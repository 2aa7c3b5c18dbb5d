import { randomBytes } from 'node:crypto'
import { CONNECT_SERVICES } from '@slipway/runtime/connect/presets.ts'
import { secretBinding, settingsBinding, VAULT_BINDING } from '@slipway/runtime/connect/settings.ts'
import * as z from 'zod'
import { capability, liveBinding, sharedObject } from '../../capability-declaration/capability.ts'
import {
  Address,
  PageAddress,
  ProviderId,
  trialOfClient,
} from '../../capability-declaration/provider-fields.ts'

const PROVIDERS_MAX = 20
const VAULT_KEY_BYTES = 32
const SERVICE_PRESETS = Object.keys(CONNECT_SERVICES)

const ProviderDeclaration = z.strictObject({
  id: ProviderId,
  scopes: z.array(z.string().min(1).max(200)).max(50).optional(),
})

export type DeclaredProvider = z.output<typeof ProviderDeclaration>

const Declared = z.looseObject({ providers: z.array(ProviderDeclaration).default([]) })

const Provider = z.object({
  id: ProviderId.meta({
    title: 'Service',
    description: `${SERVICE_PRESETS.join(', ')}, or a short name of your own.`,
  }),
  kind: z.enum(['oauth', 'apiKey']).default('oauth').meta({
    title: 'How people link it',
    description: 'By agreeing at the service (oauth), or with a key that they paste (apiKey).',
  }),
  clientId: z.string().min(1).max(200).optional().meta({
    title: 'Client id',
    description: 'For oauth: from the service.',
  }),
  authorizeUrl: PageAddress.optional().meta({
    title: 'Authorization address',
    description: 'For your own service: where people grant access.',
  }),
  tokenUrl: Address.optional().meta({
    title: 'Token address',
    description: 'For your own service: where codes are redeemed and tokens renewed.',
  }),
  apiBase: Address.optional().meta({
    title: 'API address',
    description: 'Requests of the app go below it, and nowhere else.',
  }),
  revokeUrl: Address.optional().meta({
    title: 'Revocation address',
    description: 'Called when a person unlinks the service or is erased (RFC 7009).',
  }),
  header: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be the name of a header')
    .optional()
    .meta({
      title: 'Header of the key',
      description: 'For apiKey, like x-api-key. Without it the key is sent as a bearer token.',
    }),
})

/** Returns which field of a service is missing, or null when none is. */
function serviceProblem({ id, kind, clientId, ...given }: z.output<typeof Provider>): string | null {
  const { authorizeUrl, tokenUrl, apiBase } = {
    ...(Object.hasOwn(CONNECT_SERVICES, id) ? CONNECT_SERVICES[id] : {}),
    ...given,
  }
  if (apiBase === undefined) return `${id} needs its API address`
  if (kind === 'apiKey') return null
  if (clientId === undefined) return `${id} needs a client id`
  return authorizeUrl === undefined || tokenUrl === undefined
    ? `${id} needs its authorization and token address`
    : null
}

const Providers = z
  .array(Provider)
  .max(PROVIDERS_MAX)
  .superRefine((all, context) => {
    for (const [index, one] of all.entries()) {
      const message = serviceProblem(one)
      if (message !== null) context.addIssue({ code: 'custom', path: [index], message })
    }
    if (new Set(all.map(({ id }) => id)).size !== all.length)
      context.addIssue({ code: 'custom', message: 'two services have the same id' })
  })

export const connect = capability({
  key: 'connect',
  title: 'Connected accounts',
  about: 'People connect their accounts elsewhere.',
  cost: 'Little. A request for each call to a service, which may have prices of its own',
  erasure: 'in part.ts',
  settings: z.object({
    providers: Providers.default([]).meta({
      title: 'Services',
      examples: [[{ id: 'github', clientId: 'Iv1.0123456789' }]],
      description: `${SERVICE_PRESETS.slice(0, -1).join(', ')} and ${SERVICE_PRESETS.at(-1)} need a client id; your own service needs its addresses, too.`,
    }),
  }),
  resources: (project) => [sharedObject(project)],
  bindings: (project, tier) => [liveBinding(project, tier)],
  variables: ({ providers }) =>
    Object.fromEntries(providers.map((one) => [settingsBinding(one.id), JSON.stringify(one)])),
  secrets: ({ providers }) =>
    Object.fromEntries(
      providers
        .filter(({ kind }) => kind === 'oauth')
        .map((one) => [
          `${one.id}ClientSecret`,
          {
            schema: z.string().min(1).max(500),
            title: `Client secret of ${one.id}`,
            description: 'From the service, next to the client id.',
            binding: secretBinding(one.id),
            triedAt: trialOfClient(one, CONNECT_SERVICES),
          },
        ]),
    ),
  generated: {
    vaultKey: {
      binding: VAULT_BINDING,
      description:
        'seals what people connect: 32 random bytes (`openssl rand -base64 32`). To change it, put the new one before the old one, separated by a space',
      make: () => randomBytes(VAULT_KEY_BYTES).toString('base64url'),
    },
  },
  lacks: ({ providers }, manifest) =>
    Declared.parse(manifest)
      .providers.filter(({ id }) => !providers.some((one) => one.id === id))
      .map(({ id }) => `The service ${id} is not among the settings, so people cannot link it.`),
  byHand:
    'For each service give the worker with `-live` a variable `CONNECTION_<ID>` = `{"id":"github","kind":"oauth","clientId":"..."}` ' +
    'and the secret `CONNECT_<ID>_SECRET`. Its redirect address is `https://<app>/_app/connect/<id>/callback`.',
  dependsOn: () => ['auth'],
  manifest: {
    providers: z
      .array(ProviderDeclaration)
      .max(PROVIDERS_MAX)
      .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'names a service twice')
      .optional(),
  },
})
