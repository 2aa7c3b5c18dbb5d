import { createHash } from 'node:crypto'
import { Hono, type MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Log } from '../world/log.ts'
import type { Journal } from '../world/journal.ts'
import type { Apps } from './runtime/apps.ts'
import type { Blobs } from './store/blobs.ts'
import type { BrowserRenderer } from './products/browser/rendering.ts'
import type { CronScheduler } from './products/cron/scheduler.ts'
import type { QueueDeliveries } from './products/queues/deliveries.ts'
import type { AiBackend } from './products/ai/backend.ts'
import type { Videos } from './products/stream/videos.ts'
import type { TailSessions } from './observability/tail/sessions.ts'
import type { Telemetry } from './observability/telemetry/telemetry.ts'
import type { ResourceData } from './products/storage/data.ts'
import type { WorkflowInstances } from './products/workflows/instances.ts'
import type { ResourceGroups } from './products/storage/change.ts'
import { applyFaults, InjectedFailure } from '../faults/apply-faults.ts'
import { aiGatewayRoutes } from './products/ai/gateway-routes.ts'
import { aiRoutes } from './products/ai/routes.ts'
import { analyticsEngineRoutes } from './products/analytics-engine/routes.ts'
import { assetSessionRoutes, assetUploadRoutes } from './scripts/asset-routes.ts'
import { authenticate, ownAccount, requireScope } from './rest/authenticate.ts'
import { browserRoutes } from './products/browser/routes.ts'
import { bucketRoutes } from './products/r2/routes.ts'
import type { ApiEnv, Cloud } from './rest/context.ts'
import { callsRoutes } from './products/calls/routes.ts'
import { d1Routes } from './products/d1/routes.ts'
import { transferFileRoutes } from './products/d1/transfers.ts'
import { domainRoutes, scriptDomainRoutes } from './products/domains/routes.ts'
import { routingRoutes } from './products/email/routing-routes.ts'
import { sendingDomainRoutes, sendingRoutes } from './products/email/sending-routes.ts'
import { failureResponse, respond } from './rest/envelope.ts'
import { ApiFailure } from './rest/failure.ts'
import { graphqlRoutes } from './observability/graphql/routes.ts'
import { accountRoutes, identityRoutes } from './rest/identity-routes.ts'
import { kvRoutes } from './products/kv/routes.ts'
import { namespaceRoutes } from './products/durable-objects/routes.ts'
import { queueRoutes } from './products/queues/routes.ts'
import { scheduleRoutes } from './products/cron/routes.ts'
import { scriptRoutes } from './scripts/routes.ts'
import { secretRoutes } from './scripts/secret-routes.ts'
import { namesOfCall } from './rest/sentinel-names.ts'
import { settingsRoutes } from './scripts/settings-routes.ts'
import { streamRoutes } from './products/stream/routes.ts'
import { turnstileRoutes } from './products/turnstile/routes.ts'
import { tailRoutes } from './observability/tail/routes.ts'
import { telemetryRoutes } from './observability/telemetry/routes.ts'
import { versionRoutes } from './scripts/version-routes.ts'
import { workflowRoutes } from './products/workflows/routes.ts'
import { zoneRoutes } from './products/zones/routes.ts'
import type { RelayServer } from './products/email/relay.ts'

/** What the routes of all products use. */
export interface ApiCloud extends Cloud {
  blobs: Blobs
  apps: Pick<
    Apps,
    | 'validate'
    | 'group'
    | 'applyGroupChange'
    | 'deleteObjectData'
    | 'listen'
    | 'listObjects'
    | 'hosts'
    | 'warm'
    | 'starts'
  >
  telemetry: Telemetry
  /** The model server that executes Workers AI requests. */
  ai: AiBackend
  videos: Videos
  rendering: BrowserRenderer
  tails: TailSessions
  data: Pick<ResourceData, 'isStored' | 'request' | 'delete' | 'moveWhileStopped'>
  groups: ResourceGroups
  instances: Pick<WorkflowInstances, keyof WorkflowInstances>
  queues: Pick<QueueDeliveries, 'check'>
  cronScheduler: Pick<CronScheduler, 'check'>
  journal: Journal
  log: Log
  /** Delivers mail of the apps; null: mail is only stored. */
  relay: RelayServer | null
  /** Signs the tokens of asset uploads. */
  signingKey: string
}

/** Mounted at /cloudflare/client/v4. */
export function apiRoutes(cloud: ApiCloud): Hono<ApiEnv> {
  const script = new Hono<ApiEnv>()
    .route('/', versionRoutes(cloud))
    .route('/', settingsRoutes(cloud))
    .route('/', secretRoutes(cloud))
    .route('/', scheduleRoutes(cloud))
    .route('/', tailRoutes(cloud))
    .route('/', assetSessionRoutes(cloud))
    .route('/', scriptDomainRoutes(cloud))
  const workers = new Hono<ApiEnv>()
    .use(requireScope('workers-scripts.write'))
    .route('/domains', domainRoutes(cloud))
    .route('/durable_objects/namespaces', namespaceRoutes(cloud))
    .route('/', scriptRoutes(cloud))
    .route('/scripts/:script', script)
  const buckets = new Hono<ApiEnv>().use(requireScope('r2.write')).route('/', bucketRoutes(cloud))
  const queues = new Hono<ApiEnv>().use(requireScope('queues.write')).route('/', queueRoutes(cloud))
  const namespaces = new Hono<ApiEnv>().use(requireScope('kv.write')).route('/', kvRoutes(cloud))
  const databases = new Hono<ApiEnv>().use(requireScope('d1.write')).route('/', d1Routes(cloud))
  const workflows = new Hono<ApiEnv>()
    .use(requireScope('workers-scripts.write'))
    .route('/', workflowRoutes(cloud))
  const sending = new Hono<ApiEnv>().use(requireScope('email-sending.write')).route('/', sendingRoutes(cloud))
  const zoneEmail = new Hono<ApiEnv>()
    .route(
      '/sending/subdomains',
      new Hono<ApiEnv>().use(requireScope('email-sending.write')).route('/', sendingDomainRoutes(cloud)),
    )
    .route(
      '/routing',
      new Hono<ApiEnv>().use(requireScope('email-routing-rule.write')).route('/', routingRoutes(cloud)),
    )
  const account = new Hono<ApiEnv>()
    .use(ownAccount(cloud))
    .route('/', accountRoutes(cloud))
    // The telemetry paths also begin with `/workers`. Mount them first, because the routes of `/workers` require another permission.
    .route('/', telemetryRoutes(cloud))
    .route('/workers', workers)
    .route('/r2/buckets', buckets)
    .route('/storage/kv/namespaces', namespaces)
    .route('/d1/database', databases)
    .route('/queues', queues)
    .route('/analytics_engine', analyticsEngineRoutes(cloud))
    .route('/ai', aiRoutes(cloud))
    .route('/stream', streamRoutes(cloud))
    .route('/browser-rendering', browserRoutes(cloud))
    .route('/ai-gateway/gateways', aiGatewayRoutes(cloud))
    .route('/workflows', workflows)
    .route('/calls', callsRoutes(cloud))
    .route('/challenges/widgets', turnstileRoutes(cloud))
    .route('/email/sending', sending)
    .route('/', emptyLists())
  const api = new Hono<ApiEnv>()
    .use(writeJournal(cloud))
    // The next two groups of routes accept requests without an API token: an asset upload has an upload session's token, and an SQL import
    // or export file has an unguessable URL.
    .route('/', assetUploadRoutes(cloud))
    .route('/', transferFileRoutes(cloud))
    .use(authenticate(cloud))
    .use(injectFaults(cloud))
    .route('/', identityRoutes(cloud))
    .route('/', graphqlRoutes(cloud))
    .route('/zones', zoneRoutes(cloud, zoneEmail))
    .route('/accounts/:account', account)
  // Do not use `notFound()`: Hono calls its handler only on the outermost app, and this app is mounted in another one.
  api.all('*', (c) => {
    c.set('isUnimplemented', true)
    return failureResponse(
      c,
      new ApiFailure(404, 7003, `No route for ${c.req.method} ${c.req.path} in the local cloud.`),
    )
  })
  api.onError((error, c) => {
    if (error instanceof ApiFailure) return failureResponse(c, error)
    if (error instanceof InjectedFailure)
      return failureResponse(c, new ApiFailure(error.status, error.code, error.message, error.headers))
    cloud.log.warn('a call to the local cloud failed', {
      path: c.req.path,
      error: error.stack ?? String(error),
    })
    return failureResponse(c, new ApiFailure(500, 10002, 'An unknown error has occurred in the local cloud.'))
  })
  return api
}

function injectFaults({ faults, store }: Cloud): MiddlewareHandler<ApiEnv> {
  if (faults === null) return (_c, next) => next()
  return applyFaults({
    faults,
    provider: 'cloudflare',
    accountOf: (c) => c.get('token').accountId,
    namesOf: (c) => namesOfCall(store, c),
  })
}

function writeJournal(cloud: ApiCloud) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const body = c.req.method === 'GET' || c.req.method === 'HEAD' ? null : await c.req.raw.clone().bytes()
    await next()
    cloud.journal.add({
      at: cloud.now(),
      provider: 'cloudflare',
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      accountId: c.get('account')?.id ?? null,
      bodyDigest:
        body === null || body.byteLength === 0 ? null : createHash('sha256').update(body).digest('hex'),
      fault: c.get('fault') ?? null,
      isUnimplemented: c.get('isUnimplemented') ?? false,
    })
  })
}

/** Empty lists for products that the local cloud does not have. wrangler reads these lists before it deletes a worker. */
function emptyLists(): Hono<ApiEnv> {
  return new Hono<ApiEnv>().get('/containers/applications', (c) => respond(c, []))
}
