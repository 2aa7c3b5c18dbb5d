import * as z from 'zod'
import type { ConnectedProvider } from '../db/tables/connections.ts'
import { endpoint, group } from '../endpoint.ts'
import { notFound } from '../http/errors.ts'
import { chooseCloudAccount, listCloudAccounts } from './accounts.ts'
import { finishConnection, refusedSignIn } from './sign-in/callback.ts'
import { describeConnections } from './connections.ts'
import { disconnect } from './disconnect.ts'
import { MoveOf, listMoves } from '../moves/list-moves.ts'
import { LiveDataChoice } from '../moves/moves.ts'
import { connectWithToken } from './paste-token.ts'
import { readObjectStorageStatus, readVideoStatus } from './product-status.ts'
import { startConnection } from './sign-in/start.ts'

const Profile = z.enum(['local', 'real'])

const commonFields = {
  connected: z.boolean(),
  status: z.enum(['none', 'connected', 'needs_reconnect']),
  profile: Profile.nullable().describe('Whether it is the local stand-in or the provider itself.'),
  signIns: z.array(Profile).describe('Where a person can sign in, the usual one first.'),
  scopes: z.array(z.string()),
  missingScopes: z.array(z.string()).describe('What is needed as things are and was not granted.'),
}

const Connections = z
  .object({
    cloudflare: z.object({
      ...commonFields,
      account: z
        .object({ id: z.string(), name: z.string().nullable(), subdomain: z.string().nullable() })
        .nullable()
        .describe('Null while connected: one of several accounts has to be chosen.'),
      method: z.enum(['oauth', 'token']).nullable(),
    }),
    github: z.object({ ...commonFields, login: z.string().nullable() }),
    role: z.enum(['owner', 'admin', 'member']).nullable(),
  })
  .meta({ id: 'Connections' })

const AccountId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/, 'must be the id of an account')

const Refused = z.object({ state: z.literal('refused'), message: z.string() })

/** Throws `not_found` for a provider other than Cloudflare and GitHub. */
function providerOf(name: string): ConnectedProvider {
  if (name === 'cloudflare' || name === 'github') return name
  throw notFound('provider')
}

export const connectionRoutes = group('Connections', {
  getConnections: endpoint({
    route: 'GET /connections',
    scope: 'session',
    needs: ['config'],
    summary: 'Read which cloud and code-hosting accounts are connected',
    returns: Connections,
    handle: ({ ctx }) => describeConnections(ctx),
  }),
  startConnection: endpoint({
    route: 'GET /connections/:provider/start',
    scope: 'session',
    role: 'admin',
    needs: ['config', 'pool', 'keyring'],
    summary: 'Begin signing in to cloudflare or github',
    description:
      'Send the browser to `url`. It comes back through the callback to `next` within ten minutes, with `connected=<provider>` (and `choose=account` when one of several accounts has to be chosen), or with `provider` and `error`: state, expired, denied, code, unreachable, no_account, account_locked, signed_out, not_allowed or failed.',
    query: z.object({
      profile: Profile.optional().describe('Omitted: the usual one.'),
      next: z.string().min(1).max(500).optional().describe('A path of the console to return to.'),
      prompt: z
        .enum(['consent'])
        .optional()
        .describe('Shows the page of the local provider too, which otherwise grants at once.'),
    }),
    returns: z.object({ url: z.string() }),
    fails: ['conflict'],
    handle: ({ ctx, params, query, request }) =>
      startConnection(ctx, request, providerOf(params.provider), query),
  }),
  finishConnection: endpoint({
    kind: 'redirect',
    route: 'GET /connections/:provider/callback',
    scope: 'session',
    role: 'admin',
    needs: ['config', 'pool', 'keyring', 'jobs'],
    summary: 'Where a provider sends the browser back to',
    description:
      'Takes `code` and `state`, and redirects to the console in every case; see the start of a sign-in for what it says there.',
    handle: ({ ctx, params, request }) => finishConnection(ctx, request, providerOf(params.provider)),
    refused: (error, ctx, params) => refusedSignIn(ctx, error, params['provider'] ?? ''),
  }),
  deleteConnection: endpoint({
    route: 'DELETE /connections/:provider',
    scope: 'session',
    role: 'admin',
    needs: ['accounts'],
    summary: 'Disconnect an account',
    description:
      'Deployed apps keep running, and the same account can be connected again. The response lists what does not work until then.',
    returns: z.object({
      provider: z.enum(['cloudflare', 'github']),
      revoked: z.boolean().describe('Whether the provider took the grant back; never for a pasted token.'),
      stops: z.array(z.string()),
      goesOn: z.string(),
    }),
    handle: ({ ctx, params }) => disconnect(ctx, providerOf(params.provider)),
  }),
  connectCloudflareToken: endpoint({
    route: 'POST /connections/cloudflare/token',
    scope: 'session',
    role: 'admin',
    needs: ['config', 'keyring', 'jobs'],
    summary: 'Connect a Cloudflare account with an API token',
    description:
      'The token is verified and stored encrypted. Its permissions cannot be listed, so the service tries to read something of each product; `missingScopes` lists what was refused. Projects in the local cloud stay there until their next ship moves them.',
    body: z.object({
      token: z
        .string()
        .min(1)
        .max(500)
        .regex(/^[\x21-\x7e]+$/, 'must be one word, as the dashboard shows it'),
      accountId: AccountId.optional().describe('For a token of several accounts, or of one it may not list.'),
      profile: Profile.optional().describe('Omitted: what the token looks like.'),
      liveData: LiveDataChoice.optional().describe(
        'For projects that live in the local cloud: whether a ship takes the records and files of the live app along. Omitted: `copy`.',
      ),
    }),
    returns: Connections,
    fails: ['conflict', 'upstream_error', 'unavailable'],
    handle: ({ ctx, body }) => connectWithToken(ctx, body),
  }),
  listCloudflareAccounts: endpoint({
    route: 'GET /connections/cloudflare/accounts',
    scope: 'session',
    needs: ['accounts'],
    summary: 'List the Cloudflare accounts that the connection can use',
    returns: z.object({
      accounts: z.array(z.object({ id: z.string(), name: z.string() })),
      chosen: z.string().nullable(),
      locked: z
        .string()
        .nullable()
        .describe('The account projects are deployed in: no other can be chosen. Never a local one.'),
    }),
    fails: ['conflict', 'upstream_error', 'unavailable'],
    handle: ({ ctx }) => listCloudAccounts(ctx),
  }),
  chooseCloudflareAccount: endpoint({
    route: 'PUT /connections/cloudflare/account',
    scope: 'session',
    needs: ['accounts', 'config', 'jobs'],
    summary: 'Choose the Cloudflare account to use',
    description: 'Refused while projects are deployed in another one.',
    body: z.object({ accountId: AccountId }),
    returns: Connections,
    fails: ['conflict', 'upstream_error', 'unavailable'],
    handle: ({ ctx, body }) => chooseCloudAccount(ctx, body.accountId),
  }),
  listMoves: endpoint({
    route: 'GET /connections/cloudflare/moves',
    scope: 'session',
    summary: 'List the projects that are still in the local cloud, or have left something there',
    description:
      'A project that is `waiting` moves to the connected account with its next ship; one that is `removing` already serves from there.',
    returns: z.array(
      MoveOf.extend({
        projectId: z.string(),
        projectName: z.string(),
        canShip: z.boolean().describe('Whether something is built and it is not archived.'),
      }),
    ),
    handle: ({ ctx }) => listMoves(ctx),
  }),
  getObjectStorageStatus: endpoint({
    route: 'GET /connections/cloudflare/r2',
    scope: 'session',
    needs: ['accounts'],
    summary: 'Read whether object storage can be used in the connected account',
    returns: z.union([z.object({ state: z.literal('ok') }), Refused]),
    fails: ['conflict', 'upstream_error', 'unavailable'],
    handle: ({ ctx }) => readObjectStorageStatus(ctx),
  }),
  getVideoStatus: endpoint({
    route: 'GET /connections/cloudflare/stream',
    scope: 'session',
    needs: ['accounts'],
    summary: 'Read whether video can be used in the connected account',
    returns: z.union([
      z.object({
        state: z.literal('ok'),
        usage: z.object({ minutes: z.number(), minutesMax: z.number(), videos: z.int().nullable() }),
      }),
      Refused,
    ]),
    fails: ['conflict', 'upstream_error', 'unavailable'],
    handle: ({ ctx }) => readVideoStatus(ctx),
  }),
})
