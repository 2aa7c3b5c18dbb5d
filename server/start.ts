import { mkdirSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { Logger } from 'pino'
import { openCheckers } from './agent/check/pool.ts'
import { createApp, type Doors } from './app.ts'
import { createAuth } from './auth/auth.ts'
import { drainBuildQueue } from './builds/start-queued.ts'
import { type Config, ConfigError, withLocalWorld } from './config.ts'
import { consolePage } from './console.ts'
import { loadKeyring, verifyKeyring } from './crypto/keyring.ts'
import { openDatabase } from './db/database.ts'
import { startEmbedded } from './db/embedded.ts'
import { openListener } from './db/listener.ts'
import { migrate } from './db/migrate.ts'
import { docsPage } from './docs/docs-page.ts'
import { ENDPOINTS } from './endpoints.ts'
import { healthRoutes } from './health/health.routes.ts'
import { notFound } from './http/errors.ts'
import { closeIdentify } from './http/identify.ts'
import { Counters } from './http/limits-counters.ts'
import { createLimits } from './http/limits.ts'
import { startCapture } from './ingest/capture-ideas.ts'
import { openJobs } from './jobs/jobs.ts'
import { joinProcesses } from './jobs/presence.ts'
import { JOBS } from './job-table.ts'
import { systemClock } from './lib/clock.ts'
import { readRange } from './lib/ip.ts'
import { type LocalWorld, PortTaken, startLocalWorld } from './local-world.ts'
import { endLiveTurns } from './plan/live-turn.ts'
import { drainSilentTurns } from './plan/settle-silent.ts'
import type { Platform } from './platform.ts'
import { startSchedule } from './schedule/start-schedule.ts'
import { refuseHalfRestored } from './snapshot/restore-mark.ts'
import { startDeliveries } from './webhooks/deliveries.ts'

export interface Service {
  /** Where it listens; differs from the base URL behind a proxy or with a free port. */
  url: string
  platform: Platform
  stop(): Promise<void>
}

/** What is still open once all work was handed back: streams, which reconnect by their last seq. */
const LINGER_MS = 500

type Undo = (() => Promise<unknown>)[]

/**
 * Starts everything in order: data directory, secrets, database, migrations, jobs, local world, listener.
 * `onStep` is told what is ready, for people at a terminal. What was started is stopped again on failure.
 */
export async function startService(
  config: Config,
  log: Logger,
  onStep: (what: string) => void = () => {},
): Promise<Service> {
  const undo: Undo = []
  const stop = async () => {
    for (const step of undo.splice(0).toReversed()) await step().catch((err) => log.error({ err }, 'stop'))
  }
  try {
    return { ...(await start(config, log, onStep, undo)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(
  given: Config,
  log: Logger,
  onStep: (what: string) => void,
  undo: Undo,
): Promise<Omit<Service, 'stop'>> {
  checkProxies(given)
  mkdirSync(given.dataDir, { recursive: true, mode: 0o711 })
  refuseHalfRestored(given.dataDir)
  const keyring = loadKeyring({ secrets: given.secrets, file: given.secretsFile })
  // The world is another process and needs nothing of the database: both start at once.
  const world = given.localWorld ? startWorld(given, log) : Promise.resolve(null)
  // Also keeps an early failure from counting as unhandled until it is awaited below.
  const quietWorld = world.catch(() => null)
  undo.push(async () => (await quietWorld)?.stop())
  const url = given.databaseUrl ?? (await startEmbeddedDatabase(given, log, undo))
  await migrate({ url, log })
  const database = openDatabase({ url, log })
  undo.push(() => database.close())
  await verifyKeyring(database.db, keyring, systemClock.now())
  onStep(given.databaseUrl === null ? 'Postgres (embedded)' : 'Postgres')
  const local = await world
  const config = local === null ? given : withLocalWorld(given, local)
  if (local !== null) onStep(`Local world at ${local.restUrl}`)
  const listener = await openListener({ url, log })
  undo.push(() => listener.close())
  const checkers = openCheckers({ size: Math.min(4, Math.max(1, navigator.hardwareConcurrency)), log })
  undo.push(() => checkers.close())
  // Requests are finished after the jobs were handed back, since some of them wait for a job.
  const requests = new Requests()
  undo.push(() => requests.finish())
  const jobs = await openJobs({ url, log, definitions: JOBS })
  undo.push(() => jobs.stop())
  const platform: Platform = {
    config,
    db: database.db,
    pool: database.pool,
    streamPool: database.streamPool,
    clock: systemClock,
    log,
    keyring,
    jobs,
    listener,
    checkers,
    counters: new Counters({ pool: database.pool, log }),
  }
  undo.push(() => closeIdentify(platform))
  const presence = await joinProcesses({
    url,
    role: config.role,
    log,
    onAlone: () => jobs.failOrphans(),
    onLiving: ({ web }) => void platform.counters.share(web > 1),
  })
  undo.push(() => presence.leave())
  // Keys are rotated only while no process is registered: one that read them before and waited here stops now.
  await verifyKeyring(database.db, keyring, systemClock.now())
  // Before that: what is not handed back yet when a process leaves would be taken for an orphan.
  undo.push(() => jobs.stop())
  if (config.role !== 'web') await jobs.work(platform)
  if (config.role !== 'web') undo.push(startSchedule(platform).stop)
  if (config.role !== 'web') undo.push(startCapture(platform).stop)
  const processId = () => presence.processId
  if (config.role !== 'web') undo.push(startDeliveries(platform, { processId }).stop)
  if (config.role !== 'web') undo.push(drainBuildQueue(platform).stop)
  if (config.role !== 'web') undo.push(drainSilentTurns(platform).stop)
  undo.push(() => endLiveTurns(platform))
  const server = await listen(platform, openDoors(platform, undo))
  undo.push(() => requests.refuse(server))
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}`, platform }
}

/** A wrong entry is told at the start, not at the first request. */
function checkProxies(config: Config): void {
  const wrong = config.trustedProxies.find((entry) => readRange(entry) === null)
  if (wrong !== undefined)
    throw new ConfigError(
      `SLIPWAY_TRUSTED_PROXIES: ${JSON.stringify(wrong)} is neither an address nor a CIDR.`,
    )
}

async function startEmbeddedDatabase(config: Config, log: Logger, undo: Undo): Promise<string> {
  const embedded = await startEmbedded({ dataDir: config.dataDir, log })
  undo.push(() => embedded.stop())
  return embedded.url
}

/** The service goes on without its stand-ins: calls into them then fail as any provider's outage does. */
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
    if (error instanceof PortTaken) throw error
    log.error({ err: error }, 'the local world did not start')
    return null
  }
}

/** A worker lets nobody in: it answers only whether it is well. */
function openDoors(platform: Platform, undo: Undo): Doors {
  if (platform.config.role === 'worker')
    return { auth: () => Promise.reject(notFound('route')), page: () => Promise.resolve(null) }
  const auth = createAuth(platform)
  undo.push(() => auth.close())
  return {
    auth: auth.handler,
    page: async (request) => docsPage(request) ?? consolePage(request, platform.config),
  }
}

async function listen(platform: Platform, doors: Doors): Promise<Server> {
  const { role, limits } = platform.config
  const endpoints = role === 'worker' ? healthRoutes : ENDPOINTS
  const app = createApp(platform, endpoints, createLimits(limits, platform.counters), doors)
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port: platform.config.port }, () => resolve(server as Server))
    server.once('error', (error) => reject(explainListen(error, platform.config.port)))
  })
}

function explainListen(error: Error, port: number): Error {
  if (!('code' in error) || error.code !== 'EADDRINUSE') return error
  return new Error(`Port ${port} is taken by another program. Set SLIPWAY_PORT to a free one.`, {
    cause: error,
  })
}

/** The end of the HTTP server in two steps: no new requests first, the rest after what they wait for. */
class Requests {
  #server: Server | null = null
  #closed: Promise<unknown> = Promise.resolve()

  refuse(server: Server): Promise<void> {
    this.#server = server
    this.#closed = new Promise((resolve) => server.close(resolve))
    server.closeIdleConnections()
    return Promise.resolve()
  }

  async finish(): Promise<void> {
    const limit = setTimeout(() => this.#server?.closeAllConnections(), LINGER_MS)
    await this.#closed
    clearTimeout(limit)
  }
}
