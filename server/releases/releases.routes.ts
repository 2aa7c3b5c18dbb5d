import * as z from 'zod'
import { loadTicket } from '../tickets/load-ticket.ts'
import { actorOf } from '../connections/cloud.ts'
import { endpoint, group } from '../endpoint.ts'
import { MoveOf } from '../moves/list-moves.ts'
import { LiveDataChoice } from '../moves/moves.ts'
import { loadProject } from '../projects/projects.ts'
import { readDeployState } from './deploy-state.ts'
import { listDeployments, previewProject, retryDeployment } from './deployments.ts'
import { readReadiness } from './readiness.ts'
import { readStoredCode } from '../source/source.ts'
import { RollbackResult, rollBackResource } from './rollback.ts'
import { shipProject } from './ship.ts'

const DeployState = z
  .object({
    state: z.enum(['none', 'deploying', 'live', 'error', 'archived']),
    url: z.string().nullable(),
    sha: z.string().nullable(),
    builtSha: z.string().nullable(),
    upToDate: z.boolean(),
    deployedAt: z.iso.datetime().nullable(),
    error: z.string().nullable(),
    move: MoveOf.nullable().describe('The move to the connected account; null when there is none.'),
  })
  .meta({ id: 'DeployState' })

const Readiness = z.object({
  ready: z.boolean(),
  warming: z.array(z.string()),
  failed: z.array(z.object({ key: z.string(), reason: z.string() })),
  missing: z
    .array(z.object({ key: z.string(), reason: z.string() }))
    .describe('What a person has not given yet, like the secret of an endpoint. The app serves without it.'),
})

const Managed = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string(),
  capability: z.string().nullable(),
  capabilities: z
    .array(z.string())
    .describe('Every enabled capability that needs it, the first one included.'),
  status: z.enum(['ok', 'missing', 'drifted', 'error']),
  version: z.string().nullable(),
  url: z.string().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

const Released = z.object({
  id: z.string(),
  sha: z.string(),
  version: z.string().nullable(),
  actor: z.string().nullable(),
  at: z.iso.datetime(),
  current: z.boolean(),
  previous: z.boolean().describe('Whether a rollback of the live app would serve this version.'),
})

const Artifact = z.object({
  sha: z.string(),
  generatedBy: z.string().nullable(),
  files: z.array(z.string()),
  builtAt: z.iso.datetime().nullable(),
})

export const releaseRoutes = group('Shipping', {
  getDeploy: endpoint({
    route: 'GET /projects/:projectId/deploy',
    scope: 'projects:read',
    summary: 'Read what is deployed, and whether it is the last build',
    returns: DeployState,
    handle: ({ ctx, params }) => readDeployState(ctx, params.projectId),
  }),
  getReadiness: endpoint({
    route: 'GET /projects/:projectId/deploy/readiness',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'Read the deployment state and the capabilities that are not ready yet',
    description:
      'A resource that is missing, was replaced, cannot be reached or has no connected cloud account is listed in `failed` and is never an error.',
    returns: DeployState.extend({ readiness: Readiness }),
    handle: async ({ ctx, params }) => {
      const project = await loadProject(ctx, params.projectId)
      const [state, readiness] = await Promise.all([
        readDeployState(ctx, project.id),
        readStoredCode(ctx, project.id, () => readReadiness(ctx, project, actorOf(ctx.caller))),
      ])
      return { ...state, readiness }
    },
  }),
  shipProject: endpoint({
    route: 'POST /projects/:projectId/deploy',
    scope: 'deploy:write',
    needs: ['accounts', 'jobs', 'listener'],
    summary: 'Ship the last build',
    description:
      'Responds once the app serves; after 60 seconds it responds `deploying` and continues in the background. A project in the local cloud moves to another account that is connected: until the new app serves, the old one keeps serving and refuses changes.',
    body: z.object({
      liveData: LiveDataChoice.optional().describe(
        'For a project that moves: `copy` takes the records and files of the live app along, `leave` starts empty and removes them with what is left behind. Omitted: what was chosen when the account was connected.',
      ),
    }),
    returns: DeployState,
    fails: [
      'invalid_request',
      'payment_required',
      'model_required',
      'forbidden',
      'conflict',
      'upstream_error',
    ],
    handle: ({ ctx, params, body }) => shipProject(ctx, params.projectId, body),
  }),
  retryDeployment: endpoint({
    route: 'POST /projects/:projectId/deploy/retry',
    scope: 'deploy:write',
    needs: ['accounts', 'jobs', 'listener'],
    summary: 'Publish the last build to the preview again, without building',
    returns: DeployState.extend({ previewUrl: z.string() }),
    fails: ['invalid_request', 'conflict', 'upstream_error'],
    handle: ({ ctx, params }) => retryDeployment(ctx, params.projectId),
  }),
  listDeployments: endpoint({
    route: 'GET /projects/:projectId/deployments',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'List everything managed in the connected account, and the releases',
    description: 'The status of each resource was read from the account at most a minute ago.',
    returns: z.object({ managed: z.array(Managed), releases: z.array(Released) }),
    handle: ({ ctx, params }) => listDeployments(ctx, params.projectId),
  }),
  previewProject: endpoint({
    route: 'POST /projects/:projectId/preview',
    scope: 'build:write',
    needs: ['accounts', 'jobs', 'listener'],
    summary: 'Return the last build with the address of its preview',
    body: z.object({ ticketId: z.string().max(100).optional() }),
    returns: z.object({ artifact: Artifact, previewUrl: z.string() }),
    fails: ['conflict', 'upstream_error'],
    handle: async ({ ctx, params, body }) => {
      if (body.ticketId !== undefined) await loadTicket(ctx, params.projectId, body.ticketId)
      return previewProject(ctx, params.projectId)
    },
  }),
})

/** A separate group, so that the API reference lists it beside the other changes of a resource. */
export const rollbackRoutes = group('Shipping', {
  rollBackResource: endpoint({
    route: 'POST /projects/:projectId/resources/:resourceId/rollback',
    scope: 'deploy:write',
    needs: ['accounts', 'jobs', 'listener'],
    summary: 'Serve the previous version again',
    description:
      'Works for the workers of the app and of its preview. Rolling back again goes one more version back. After `unavailable` or a lost connection, the same request returns the result of that rollback. When capabilities were switched since that version, its source is deployed again.',
    returns: RollbackResult,
    fails: ['conflict', 'upstream_error', 'unavailable'],
    handle: ({ ctx, params }) => rollBackResource(ctx, params.projectId, params.resourceId),
  }),
})
