import { mkdirSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Logger } from 'pino'
import { stopBundlers } from '../agent/bundle/bundlers.ts'
import { findBrowser } from '../agent/check/browser/find.ts'
import { openCheckers } from '../agent/check/pool/pool.ts'
import { openPackages } from '../agent/packages/packages.ts'
import { openTextWorkers } from '../agent/text/workers.ts'
import { createApp, type EntryPoints } from '../app.ts'
import { createAuth } from '../auth/auth.ts'
import { drainBuildQueue } from '../builds/queue/start-queued.ts'
import { type Config, ConfigError, withLocalWorld } from '../config.ts'
import { openAccounts } from '../connections/open-accounts.ts'
import { consolePage } from '../console.ts'
import { loadKeyring, verifyKeyring } from '../crypto/keyring.ts'
import { openDatabase } from '../db/database.ts'
import { startEmbedded } from '../db/embedded.ts'
import { openListener } from '../db/listener.ts'
import { migrate } from '../db/migrate.ts'
import { docsPage } from '../docs/docs-page.ts'
import { ENDPOINTS } from '../tables/endpoints.ts'
import { healthRoutes } from '../health/health.routes.ts'
import { notFound } from '../http/errors.ts'
import { flushKeyUses } from '../statements/keys/key-use.ts'
import { Counters } from '../http/limits/counters.ts'
import { createLimits } from '../http/limits/limits.ts'
import { startCapture } from '../ingest/capture-ideas.ts'
import { openJobs } from '../jobs/jobs.ts'
import { startPresence } from '../jobs/presence.ts'
import { JOB_TABLE } from '../tables/job-table.ts'
import { endLeases } from '../leases/lease.ts'
import { systemClock } from '../lib/clock.ts'
import { checkSettings } from './check-settings.ts'
import { listen, boundAddress, serviceUrl } from './listen.ts'
import { openMailer } from '../mail/enqueue-mail.ts'
import { createMetrics } from '../tables/metric-table.ts'
import { type LocalWorld, PortTakenError, startLocalWorld } from './local-world.ts'
import { endLiveTurns } from '../plan/live-turn.ts'
import { drainStaleTurns } from '../plan/settle-stale.ts'
import { UPWARD_PORTS } from '../tables/upward-ports.ts'
import type { Platform } from '../platform.ts'
import { startSchedule } from '../schedule/start-schedule.ts'
import { TASK_SCHEDULE } from '../tables/schedule-table.ts'
import { refuseUnfinishedRestore } from '../snapshot/restore-mark.ts'
import { ShutdownSteps } from './stop-steps.ts'
import { startDeliveries } from '../webhooks/deliveries.ts'

export interface ServiceHandle {
  /** The URL at which this machine reaches the service. It differs from the base URL behind a proxy, and when the system chose the port. */
  url: string
  listensOn: { address: string; port: number }[]
  platform: Platform
  stop(): Promise<void>
}

/**
 * How long connections may stay open after the running jobs were returned to the queue. Connections that are still open are streams. Their
 * clients reconnect and continue after the last event that they received.
 */
const LINGER_MS = 500

/**
 * The number of processes that search and compare texts. Three are enough for many builds, because each search is short
 * and one organization cannot occupy all of them for long.
 */
const TEXT_WORKERS = 3

interface StartOptions {
  /** Called for each part that is ready. */
  onStep?: (what: string) => void
  /** Aborts the startup when its current step has ended. */
  signal?: AbortSignal
}

/**
 * Starts everything in order: data directory, secrets, database, migrations, jobs, local emulators of the providers, listener.
 * When a step fails or `signal` is aborted, stops what was started and throws.
 */
export async function startService(
  config: Config,
  log: Logger,
  options: StartOptions = {},
): Promise<ServiceHandle> {
  const undo = new ShutdownSteps(log)
  try {
    return { ...(await startParts(config, log, options, undo)), stop: () => undo.run() }
  } catch (error) {
    await undo.run()
    throw error
  }
}

async function startParts(
  given: Config,
  log: Logger,
  { onStep = () => {}, signal }: StartOptions,
  undo: ShutdownSteps,
): Promise<Omit<ServiceHandle, 'stop'>> {
  checkSettings(given)
  mkdirSync(given.dataDir, { recursive: true, mode: 0o711 })
  refuseUnfinishedRestore(given.dataDir)
  const keyring = loadKeyring({ secrets: given.secrets, file: given.secretsFile })
  // The local emulators of the providers run in another process and need no database, so they start at the same time.
  const world = given.localWorld ? startWorld(given, log) : Promise.resolve(null)
  // Without this `catch`, a failure before the `await` below would count as an unhandled rejection.
  const quietWorld = world.catch(() => null)
  undo.add('local world', async () => (await quietWorld)?.stop())
  const url = given.databaseUrl ?? (await startEmbeddedDatabase(given, log, undo))
  signal?.throwIfAborted()
  await migrate({ url, log })
  signal?.throwIfAborted()
  const database = openDatabase({ url, log })
  undo.add('database connections', () => database.close())
  await verifyKeyring(database.db, keyring, systemClock.now())
  onStep(given.databaseUrl === null ? 'Postgres (embedded)' : 'Postgres')
  const local = await world
  signal?.throwIfAborted()
  const config = local === null ? given : withLocalWorld(given, local)
  if (local !== null) onStep(`Local world at ${local.restUrl}`)
  const listener = await openListener({ url, log })
  undo.add('listener', () => listener.close())
  const checkers = openCheckers({
    size: Math.min(4, Math.max(1, navigator.hardwareConcurrency)),
    log,
    browser: config.seesPages ? findBrowser(config.chromium, process.env['PATH'] ?? '') : null,
  })
  undo.add('checkers', () => checkers.close())
  undo.add('bundlers', () => stopBundlers())
  const packages = openPackages({ dataDir: config.dataDir, allow: config.outboundAllow, log })
  undo.add('packages', () => packages.close())
  const textWorkers = openTextWorkers({ size: TEXT_WORKERS, log })
  undo.add('text workers', () => textWorkers.close())
  // Steps run in reverse order. Open requests end after the running jobs were returned to the queue, because some requests wait for a job.
  const requests = new Requests()
  undo.add('open requests', () => requests.finish())
  const jobs = await openJobs({ url, log, definitions: JOB_TABLE })
  undo.add('jobs', () => jobs.stop())
  const counters = new Counters({ pool: database.pool, log })
  const basis = { config, db: database.db, clock: systemClock, log, keyring }
  const platform: Platform = {
    ...basis,
    pool: database.pool,
    streamPool: database.streamPool,
    jobs,
    listener,
    checkers,
    packages,
    textWorkers,
    counters,
    metrics: createMetrics(config.metricsToken),
    accounts: openAccounts(basis),
    mailer: openMailer({ ...basis, jobs }),
    ...UPWARD_PORTS,
  }
  undo.add('key uses', () => flushKeyUses(platform.db))
  const presence = await startPresence({
    url,
    role: config.role,
    log,
    onAlone: async () => {
      await endLeases(database.db, 'provisioning')
      await jobs.failOrphans()
    },
    onLiving: ({ web }) => void counters.share(web > 1),
  })
  undo.add('presence', () => presence.leave())
  signal?.throwIfAborted()
  // Checks the keys again: if a key rotation ran before this process was registered, the process has read old keys.
  await verifyKeyring(database.db, keyring, systemClock.now())
  // Jobs are also stopped before the process unregisters: a job that is still running then would count as orphaned.
  undo.add('jobs', () => jobs.stop())
  if (config.role !== 'web') await jobs.work(platform)
  if (config.role !== 'web') undo.add('schedule', startSchedule(platform, TASK_SCHEDULE).stop)
  if (config.role !== 'web') undo.add('capture of ideas', startCapture(platform).stop)
  const processId = () => presence.processId
  if (config.role !== 'web') undo.add('deliveries', startDeliveries(platform, { processId }).stop)
  if (config.role !== 'web') undo.add('build queue', drainBuildQueue(platform).stop)
  if (config.role !== 'web') undo.add('stale turns', drainStaleTurns(platform).stop)
  undo.add('live turns', () => endLiveTurns(platform))
  const servers = await listen(openApp(platform, openEntryPoints(platform, undo)).fetch, config)
  undo.add('new requests', () => requests.refuse(servers))
  return { url: serviceUrl(servers, config.hosts), listensOn: servers.map(boundAddress), platform }
}

async function startEmbeddedDatabase(config: Config, log: Logger, undo: ShutdownSteps): Promise<string> {
  const embedded = await startEmbedded({ dataDir: config.dataDir, log })
  undo.add('database', () => embedded.stop())
  return embedded.url
}

/**
 * Starts the local emulators of the providers. When that fails, the service runs without them, and calls to them fail as in
 * a provider's outage. Throws only for an invalid setting, and when another program uses a port, because calls would reach that program.
 */
async function startWorld(config: Config, log: Logger): Promise<LocalWorld | null> {
  try {
    return await startLocalWorld({
      dataDir: config.dataDir,
      port: config.localPort,
      appsPort: config.appsPort,
      control: config.localControl,
      log,
    })
  } catch (error) {
    if (error instanceof PortTakenError || error instanceof ConfigError) throw error
    log.error({ err: error }, 'the local world did not start')
    return null
  }
}

/** A worker process serves the health check only, neither sign-in nor pages. */
function openEntryPoints(platform: Platform, undo: ShutdownSteps): EntryPoints {
  if (platform.config.role === 'worker')
    return { auth: () => Promise.reject(notFound('route')), page: () => Promise.resolve(null) }
  const auth = createAuth(platform)
  undo.add('sign-in', () => auth.close())
  return {
    auth: auth.handler,
    page: async (request) => docsPage(request) ?? consolePage(request, platform.config),
  }
}

function openApp(platform: Platform, entryPoints: EntryPoints) {
  const { role, limits } = platform.config
  const endpoints = role === 'worker' ? healthRoutes : ENDPOINTS
  return createApp(platform, endpoints, createLimits(limits, platform.counters), entryPoints)
}

/** Stops the HTTP servers in two steps: first they refuse new requests, later they close the open ones. */
class Requests {
  #servers: readonly Server[] = []
  #closed: Promise<unknown> = Promise.resolve()

  refuse(servers: readonly Server[]): Promise<void> {
    this.#servers = servers
    this.#closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    for (const server of servers) server.closeIdleConnections()
    return Promise.resolve()
  }

  async finish(): Promise<void> {
    const limit = setTimeout(() => {
      for (const server of this.#servers) server.closeAllConnections()
    }, LINGER_MS)
    await this.#closed
    clearTimeout(limit)
  }
}
