import * as z from 'zod'
import { actorOf } from '../connections/cloud.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { loadProject } from '../projects/projects.ts'
import { KeyCheck } from './capability-actions.ts'
import * as operated from './routes.ts'
import { readCapability, setCapability } from './switch/capabilities.ts'
import { listCapabilities } from '../capability-state/states.ts'
import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { endpoint, group } from '../endpoint.ts'

const Provision = z.object({
  state: z.enum(['creating', 'idle', 'error']),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
})

const Listed = z.object({
  key: z.enum(CAPABILITY_KEYS),
  title: z.string(),
  enabled: z.boolean(),
  provision: Provision,
})

const Capability = Listed.extend({
  resource: z.object({ id: z.string(), kind: z.string(), name: z.string() }).nullable(),
  settings: z.record(z.string(), z.unknown()),
  alsoOff: z
    .array(z.enum(CAPABILITY_KEYS))
    .describe('Enabled ones that need it and were switched off with it by this change; empty in a read.'),
  unchecked: z
    .array(z.object({ secret: z.string(), reason: z.string() }))
    .describe(
      'Secrets of this change that could not be tried, because their provider did not respond; empty in a read.',
    ),
  keyCheck: KeyCheck.nullable().describe(
    'What the stored Stripe keys could not do when they were last checked; null for every other capability.',
  ),
})
  // Responses never contain secrets, only whether each secret is set: `hasStripeKey` for `stripeKey`.
  .catchall(z.boolean())
  .meta({ id: 'Capability' })

export const capabilityRoutes = group('Capabilities', {
  listCapabilities: endpoint({
    route: 'GET /projects/:projectId/capabilities',
    scope: 'projects:read',
    summary: 'List every capability and whether it is on',
    returns: z.array(Listed),
    handle: async ({ ctx, params }) =>
      listCapabilities(ctx.db, (await loadProject(ctx, params.projectId)).id),
  }),
  getCapability: endpoint({
    route: 'GET /projects/:projectId/capabilities/:key',
    scope: 'projects:read',
    summary: 'Read one capability with its resource and settings',
    returns: Capability,
    handle: async ({ ctx, params }) =>
      readCapability(ctx.db, await loadProject(ctx, params.projectId), params.key),
  }),
  setCapability: endpoint({
    route: 'PUT /projects/:projectId/capabilities/:key',
    scope: 'projects:write',
    needs: ['accounts', 'config', 'keyring', 'jobs'],
    summary: 'Switch a capability on or off',
    description:
      'The change is saved at once. Resources in the connected cloud account are created in the background, so the response usually says `creating`; the capabilities it depends on are switched on with it. Settings are merged into the stored ones field by field; a secret given as null is removed. The key of a model provider and the client secret of a sign-in provider are tried first: a refused one is a 400 that names it. Switching off also switches off the capabilities that need it (`alsoOff`) and deletes nothing; without a connected cloud it is saved, and the app loses the bindings once one is connected. Switching on without a connected cloud, or a capability that this version does not have, is a 409 and saves nothing.',
    body: z.object({
      enabled: z.boolean(),
      settings: z.record(z.string(), z.unknown()).optional(),
      secrets: z.record(z.string(), z.string().nullable()).optional(),
    }),
    returns: Capability,
    fails: ['conflict', 'upstream_error'],
    handle: async ({ ctx, params, body }) =>
      setCapability(ctx, await loadProject(ctx, params.projectId), params.key, {
        ...body,
        actor: actorOf(ctx.caller),
      }),
  }),
})

const OPERATED_ROUTES: Partial<Record<CapabilityKey, Endpoint[]>> = operated

/** The operator routes of all capabilities, in the order of the keys. */
export const operatorRoutes: Endpoint[] = CAPABILITY_KEYS.flatMap((key) => OPERATED_ROUTES[key] ?? [])
