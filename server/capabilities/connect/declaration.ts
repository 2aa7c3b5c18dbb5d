import * as z from 'zod'
import { capability } from '../capability.ts'
import { DeclaredName } from '../manifest-fields.ts'

const HttpsUrl = z.url({ protocol: /^https$/ })
const Provider = z.object({
  id: z.string().regex(/^[a-z][a-z0-9]{1,30}$/, 'must be 2 to 31 small letters and digits'),
  kind: z.enum(['oauth', 'apiKey']).default('oauth'),
  clientId: z.string().min(1).max(200).optional(),
  authorizeUrl: HttpsUrl.optional(),
  tokenUrl: HttpsUrl.optional(),
  apiBase: HttpsUrl.optional(),
})

/** Accounts that people have elsewhere and let the app use. */
export const connect = capability({
  key: 'connect',
  title: 'Connected accounts',
  about: 'People connect their accounts elsewhere.',
  cost: 'Durable Object requests and storage',
  settings: z.object({
    providers: z.array(Provider).max(20).default([]).meta({
      title: 'Providers',
      description:
        'Addresses are known for google, github, microsoft, slack, notion, linear, hubspot, dropbox, discord and spotify.',
    }),
  }),
  secrets: ({ providers }) =>
    Object.fromEntries(
      providers
        .filter(({ kind }) => kind === 'oauth')
        .map(({ id }) => [
          `${id}ClientSecret`,
          {
            schema: z.string().min(1).max(500),
            title: `Client secret of ${id}`,
            description: 'From the provider, next to the client id.',
            binding: `CONNECT_${id.toUpperCase()}_SECRET`,
          },
        ]),
    ),
  dependsOn: () => ['auth'],
  manifest: {
    providers: z
      .array(z.strictObject({ id: DeclaredName, scopes: z.array(z.string()).optional() }))
      .optional(),
  },
})
