import { mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { listAccounts, createAccount } from './cloudflare/accounts/accounts.ts'
import { type ApiCloud, apiRoutes } from './cloudflare/routes.ts'
import { localBackend, remoteBackend } from './cloudflare/products/ai/backend.ts'
import { Apps } from './cloudflare/runtime/apps.ts'
import { findChromium } from './cloudflare/products/browser/find-chromium.ts'
import { BrowserRenderer } from './cloudflare/products/browser/rendering.ts'
import { cleanUp } from './cloudflare/clean-up.ts'
import { productHandlers } from './cloudflare/products/index.ts'
import { Blobs } from './cloudflare/store/blobs.ts'
import { oauthRoutes } from './cloudflare/accounts/oauth/routes.ts'
import { tokensPage } from './cloudflare/accounts/tokens-page.ts'
import { ResourceData } from './cloudflare/products/storage/data.ts'
import { createRouter } from './cloudflare/runtime/router/router.ts'
import { BackgroundWork } from './cloudflare/runtime/background.ts'
import { WorkflowInstances } from './cloudflare/products/workflows/instances.ts'
import { streamPublicRoutes } from './cloudflare/products/stream/public-routes.ts'
import { siteverify, TURNSTILE_HOST } from './cloudflare/products/turnstile/siteverify.ts'
import { Videos } from './cloudflare/products/stream/videos.ts'
import { TailSessions } from './cloudflare/observability/tail/sessions.ts'
import { upgradeTail } from './cloudflare/observability/tail/socket.ts'
import { Telemetry } from './cloudflare/observability/telemetry/telemetry.ts'
import type { WorldConfig } from './config.ts'
import { controlRoutes } from './control/routes.ts'
import { deliverMail } from './cloudflare/runtime/events.ts'
import { githubRoutes } from './github/routes.ts'
import { mailRoutes } from './mail/routes.ts'
import { modelRoutes } from './model/routes.ts'
import { OauthProvider, PROVIDER_HOST } from './oauth/provider.ts'
import { oauthPages } from './oauth/routes.ts'
import { stripePages } from './stripe/pages/routes.ts'
import { KEY_MARK } from './stripe/protocol/keys.ts'
import { stripeRoutes } from './stripe/routes.ts'
import { openStripe, STRIPE_HOST } from './stripe/stripe.ts'
import { pushRoutes } from './push/routes.ts'
import { PUSH_HOST, PushService } from './push/service.ts'
import { Faults } from './faults/faults.ts'
import { WorldClock } from './world/clock.ts'
import { createFolders, readIfExists, writeAtomically, makeSocketFolder } from './world/files.ts'
import { CALLS_HOST, MediaServer } from './cloudflare/products/calls/media-server.ts'
import { chooseAccount, processGuard, workerdGuard } from './world/account.ts'
import { newSecret } from './world/ids.ts'
import { Journal } from './world/journal.ts'
import { rejectForeignHosts } from './world/own-hosts.ts'
import type { Log } from './world/log.ts'
import { checkVersionStamp, findWorkerd } from './world/stamp.ts'
import { openStore } from './schema.ts'
import type { Store } from './world/store.ts'
import { sweepOrphans } from './world/sweep.ts'
import { dropEmptyGroup, unboundGroup, groupBoundByName } from './cloudflare/scripts/groups.ts'

export interface World {
  restUrl: string
  appsPort: number
  close(drainMs: number): Promise<void>
}

/** What the parts of the world share. */
interface WorldBase {
  config: WorldConfig
  log: Log
  store: Store
  journal: Journal
  clock: WorldClock
  faults: Faults | null
  /** The token of the routes below /_control. */
  controlToken: string
  /** A function, because the URL is known only when the server listens. */
  restUrl: () => string
}

/**
 * Starts the local world: the stand-ins for cloud, code host, models, mail, payments and push. The caller
 * must hold the lock of the data directory.
 */
export async function openWorld(config: WorldConfig, log: Log, ownerPid: number | null): Promise<World> {
  const { dir } = config
  createFolders(dir)
  const workerd = findWorkerd()
  checkVersionStamp(dir, workerd.version)
  const swept = await sweepOrphans(join(dir, 'run'), join(dir, 'tmp'))
  if (swept > 0) log.info('ended workerd processes of a world that died', { count: swept })

  const store = openStore(join(dir, 'world.db'))
  seedAccounts(store)
  await cleanUp(store, join(dir, 'cloud'), Date.now())
  let restUrl = ''
  const base: WorldBase = {
    config,
    log,
    store,
    journal: new Journal(store),
    clock: new WorldClock(),
    faults: config.control ? new Faults(config.timeScale) : null,
    controlToken: readOrCreateControlToken(dir),
    restUrl: () => restUrl,
  }
  // Listen before any app starts, because apps send HTTP requests to each other at this port.
  const appsServer = await listenOn(createServer(), config.appsPort, config.appsHost)
  const appsPort = portOf(appsServer)
  const socketFolder = makeSocketFolder(dir)
  const standIns = openStandIns(base)
  const cloud = openCloud(base, standIns, { appsPort, socketFolder, workerdPath: workerd.path })
  const { apps, background, rendering, telemetry, tails } = cloud
  const router = createRouter({
    store,
    apps,
    telemetry,
    tails,
    trustedProxies: config.trustedProxies,
    log,
    now: base.clock.now,
  })
  for (const event of ['request', 'upgrade']) {
    for (const listener of router.listeners(event)) appsServer.on(event, listener as () => void)
  }
  const rest = restRoutes(base, standIns, cloud)
  const restServer = await listenOn(createServer(getRequestListener(rest.fetch)), config.port, '127.0.0.1')
  restServer.on('upgrade', (req, socket) => upgradeTail(tails, req, socket))
  restUrl = `http://127.0.0.1:${portOf(restServer)}`

  apps.scheduleWakes()
  background.start()
  standIns.stripe.start()
  writeAtomically(join(dir, 'world.json'), JSON.stringify({ pid: process.pid, ownerPid, restUrl, appsPort }))
  return {
    restUrl,
    appsPort,
    close: async (drainMs) => {
      // Remove world.json first. A service process that starts now then finds no running local world and
      // waits for the lock, instead of connecting to this one.
      rmSync(join(dir, 'world.json'), { force: true })
      appsServer.close()
      restServer.close()
      background.close()
      await Promise.all([apps.close(drainMs), rendering.close(), standIns.stripe.close()])
      rmSync(socketFolder, { recursive: true, force: true })
      appsServer.closeAllConnections()
      restServer.closeAllConnections()
      base.journal.flush()
      telemetry.close()
      store.close()
    },
  }
}

type StandIns = ReturnType<typeof openStandIns>

/** Opens the stand-ins of the other providers. Call `stripe.start` once the server of `restUrl` listens. */
function openStandIns({ config, log, store, journal, clock, faults, controlToken, restUrl }: WorldBase) {
  const stripe = openStripe({
    store,
    journal,
    faults,
    log,
    clock,
    timeScale: config.timeScale,
    pagesUrl: () => `${restUrl()}/stripe`,
  })
  return {
    models: modelRoutes({ controlToken: config.control ? controlToken : null }),
    provider: new OauthProvider(clock.now),
    pushService: new PushService(store, clock.now),
    stripe,
    stripeApi: new Hono().route('/v1', stripeRoutes(stripe)),
  }
}

interface LocalCloudOptions {
  appsPort: number
  socketFolder: string
  workerdPath: string
}

/** Opens the stand-in of the cloud. Call `apps.scheduleWakes` and `background.start` once both servers listen. */
function openCloud(
  { config, log, store, journal, clock, faults, restUrl }: WorldBase,
  { models, provider, pushService, stripeApi }: StandIns,
  { appsPort, socketFolder, workerdPath }: LocalCloudOptions,
) {
  const { dir, egressAllow, maxWarm, idleMs, spinCpuSeconds } = config
  const blobs = new Blobs(join(dir, 'cloud'))
  const telemetry = new Telemetry(join(dir, 'telemetry.db'))
  const tails = new TailSessions(telemetry)
  const ai =
    config.ai === null
      ? localBackend((path, init) => models.request(path, init))
      : remoteBackend(config.ai.url, config.ai.key)
  const videos = new Videos({
    store,
    dir: join(dir, 'stream'),
    now: clock.now,
    timeScale: config.timeScale,
    signingKey: readOrCreateSecret(store, 'stream-tokens'),
    baseUrl: () => `${restUrl()}/cloudflare/stream`,
  })
  const account = chooseAccount({ program: workerdPath, dir: dirname(dir) }, log)
  const rendering = new BrowserRenderer({
    chromium: findChromium(config.chromium),
    dir: join(dir, 'chrome'),
    guard: processGuard(account),
    account,
    appsPort,
    egressAllow,
  })
  const background: BackgroundWork = new BackgroundWork({ store, clock, log, apps: () => apps })
  const apps = new Apps({
    store,
    blobs,
    dir,
    workerd: {
      path: workerdPath,
      guard: workerdGuard(account),
      account,
      socketFolder,
    },
    appsPort,
    egressAllow,
    standIns: new Map([
      [PROVIDER_HOST, { answer: provider.answer, mark: '' }],
      [STRIPE_HOST, { answer: async (request) => stripeApi.fetch(request), mark: KEY_MARK }],
      [PUSH_HOST, { answer: pushService.answer, mark: '' }],
      [CALLS_HOST, { answer: new MediaServer(store).answer, mark: '' }],
      [TURNSTILE_HOST, { answer: siteverify(store, clock.now), mark: '' }],
    ]),
    maxWarm,
    idleMs,
    spinCpuSeconds,
    workflowWakeMs: 15 * 60_000 * config.timeScale,
    tails,
    rpcHandlers: {
      ...background.rpcHandlers,
      ...productHandlers({
        store,
        telemetry,
        ai,
        videos,
        rendering,
        now: clock.now,
        timeScale: config.timeScale,
        relay: config.relay,
      }),
    },
    hasWorkDueWithin: (groupId, ms) => background.hasWorkDueWithin(groupId, ms),
    log,
  })
  const api: ApiCloud = {
    store,
    blobs,
    apps,
    groups: { unboundGroup, groupBoundByName, dropEmptyGroup },
    data: new ResourceData(store, apps),
    telemetry,
    ai,
    videos,
    rendering,
    tails,
    instances: new WorkflowInstances(apps),
    queues: background.deliveries,
    cronScheduler: background.cronScheduler,
    journal,
    log,
    faults,
    now: clock.now,
    timeScale: config.timeScale,
    relay: config.relay,
    signingKey: readOrCreateSecret(store, 'upload-tokens'),
  }
  return { api, apps, background, rendering, telemetry, tails, videos }
}

/** Returns the routes of all stand-ins, which one server serves. */
function restRoutes(
  { config, log, store, journal, clock, faults, controlToken }: WorldBase,
  { models, provider, pushService, stripe, stripeApi }: StandIns,
  { api, apps, videos }: ReturnType<typeof openCloud>,
): Hono {
  const rest = new Hono()
  rest.use(rejectForeignHosts)
  rest.route('/cloudflare/client/v4', apiRoutes(api))
  rest.route('/cloudflare/stream', streamPublicRoutes(videos))
  rest.route('/cloudflare/oauth2', oauthRoutes({ store, now: clock.now, baseUrl: config.baseUrl }))
  rest.route('/cloudflare/tokens', tokensPage({ store, now: clock.now }))
  rest.route(
    '/github',
    githubRoutes({
      store,
      journal,
      faults,
      log,
      now: clock.now,
      dir: join(config.dir, 'github'),
      baseUrl: config.baseUrl,
    }),
  )
  if (config.control) rest.route('/_control', controlRoutes({ cloud: api, clock, token: controlToken }))
  rest.route('/model', models)
  rest.route(
    '/mail',
    mailRoutes({
      store,
      now: clock.now,
      timeScale: config.timeScale,
      deliver: (script, mail) => deliverMail({ store, apps }, script, mail),
    }),
  )
  rest.route('/oauth', oauthPages(provider))
  rest.route('/', stripeApi)
  rest.route('/stripe', stripePages(stripe))
  rest.route('/push', pushRoutes(pushService))
  return rest
}

function seedAccounts(store: Store): void {
  if (listAccounts(store).length > 0) return
  createAccount(store, { name: 'demo', plan: 'paid', at: Date.now() })
  createAccount(store, { name: 'second', plan: 'free', at: Date.now() })
}

function readOrCreateSecret(store: Store, name: string): string {
  store.run('INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', name, newSecret(''))
  return store.get<{ value: string }>('SELECT value FROM secrets WHERE name = ?', name)?.value ?? ''
}

function readOrCreateControlToken(dir: string): string {
  const path = join(dir, 'control.token')
  const known = readIfExists(path)
  if (known !== null) return known
  const token = newSecret('control_')
  writeAtomically(path, token)
  return token
}

function listenOn(server: Server, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

/** The wrapper script that ends workerd when this process ends. */
export const workerdWrapper = join(dirname(fileURLToPath(import.meta.url)), 'cloudflare/runtime/workerd.sh')

/** Returns environment variables that make tools write into the data directory instead of the user's home. */
export function toolFolders(dir: string): Record<string, string> {
  const home = join(dir, 'home')
  for (const name of ['.config', '.cache', '.local'])
    mkdirSync(join(home, name), { recursive: true, mode: 0o700 })
  return {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local'),
    TMPDIR: join(dir, 'tmp'),
  }
}
