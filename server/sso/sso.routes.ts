import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { ProviderInput } from './input.ts'
import { readProvider, removeProvider, saveProvider } from './provider.ts'
import { verifyDomains } from './verify-domain.ts'

const TxtRecord = z.object({
  domain: z.string(),
  name: z.string(),
  value: z.string(),
  isVerified: z.boolean(),
})

const SsoProvider = z
  .object({
    issuer: z.string(),
    domain: z.string().describe('The e-mail domains, separated by commas.'),
    kind: z.enum(['oidc', 'saml']),
    domainVerified: z
      .boolean()
      .describe('Until all domains are verified, no one can sign in through the provider.'),
    txt: z.array(TxtRecord).describe('The TXT record to publish for each domain.'),
    redirectUri: z.string().nullable().describe('To enter at an OpenID Connect provider.'),
    acsUrl: z.string().nullable().describe('To enter at a SAML provider: where it posts its responses.'),
    entityId: z
      .string()
      .nullable()
      .describe('To enter at a SAML provider: our entity id, and where our metadata is.'),
  })
  .meta({ id: 'SsoProvider' })

export const ssoRoutes = group('Single sign-on', {
  readSsoProvider: endpoint({
    route: 'GET /sso',
    scope: 'session',
    needs: ['config'],
    summary: 'Read the single sign-on provider',
    description: 'Null when there is none. The client secret and the certificates are never returned.',
    returns: SsoProvider.nullable(),
    handle: ({ ctx }) => readProvider(ctx),
  }),
  saveSsoProvider: endpoint({
    route: 'POST /sso',
    scope: 'session',
    role: 'admin',
    needs: ['config', 'keyring'],
    summary: 'Set up single sign-on',
    description:
      'Replaces an existing provider: its sessions end, and single sign-on is no longer required. Part of the Enterprise plan.',
    body: ProviderInput,
    returns: SsoProvider,
    fails: ['payment_required', 'upstream_error'],
    handle: ({ ctx, body }) => saveProvider(ctx, body),
  }),
  verifySsoDomain: endpoint({
    route: 'POST /sso/verify-domain',
    scope: 'session',
    role: 'admin',
    needs: ['config'],
    summary: 'Verify the domains of the provider',
    description: 'Reads the TXT records; may be called again until they are found.',
    returns: z.object({ domainVerified: z.boolean() }),
    fails: ['not_found', 'conflict'],
    limit: { counter: 'sso verify', per: 'organization', perMinute: 20 },
    handle: ({ ctx }) => verifyDomains(ctx),
  }),
  removeSsoProvider: endpoint({
    route: 'DELETE /sso',
    scope: 'session',
    role: 'admin',
    summary: 'Remove single sign-on',
    description: 'Ends the sessions that the provider made, and no longer requires single sign-on.',
    returns: z.object({ removed: z.boolean() }),
    handle: ({ ctx }) => removeProvider(ctx),
  }),
})
