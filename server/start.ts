import { mkdirSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { Logger } from 'pino'
import { openCheckers } from './agent/check/pool.ts'
import { createApp } from './app.ts'
import { type Auth, createAuth } from './auth/auth.ts'
import { type Config, withLocalWorld } from './config.ts'
import { consolePage } from './console.ts'
import { loadKeyring, verifyKeyring } from './crypto/keyring.ts'
import { openDatabase } from './db/database.ts'
import { startEmbedded } from './db/embedded.ts'
import { openListener } from './db/listener.ts'
import { migrate } from './db/migrate.ts'
import { docsPage } from './docs/docs-page.ts'
import { ENDPOINTS } from './endpoints.ts'
import { closeIdentify } from './http/identify.ts'
import { createLimits } from './http/limits.ts'
import { openJobs } from './jobs/jobs.ts'
import { JOBS } from './job-table.ts'
import { systemClock } from './lib/clock.ts'
import { type LocalWorld, startLocalWorld } from './local-world.ts'
import type { Platform } from './platform.ts'

export interface Service {
  /** Where it listens; differs from the base URL behind a proxy or with a free port. */
  url: string
  platform: Platform
  stop(): Promise<void>
}

/** Requests still running when a stop begins get this long. */
const DRAIN_MS = 10_000

/**
 * Starts everything in order: data directory, secrets, database, migrations, jobs, local world, listener.
 * `onStep` is told what is ready, for people at a terminal. What was started is stopped again on failure.
 */
export async function startService(
  config: Config,
  log: Logger,
  onStep: (what: string) => void = () => {},
): Promise<Service> {
  const undo: (() => Promise<unknown> | unknown)[] = []
  const stop = async () => {
    for (const step of undo.toReversed())
      await Promise.resolve(step()).catch((err) => log.error({ err }, 'stop'))
    undo.length = 0
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
  undo: (() => Promise<unknown> | unknown)[],
): Promise<Omit<Service, 'stop'>> {
  mkdirSync(given.dataDir, { recursive: true, mode: 0o711 })
  const keyring = loadKeyring({ secrets: given.secrets, file: given.secretsFile })
  // The world is another process and needs nothing of the database: both start at once.
  const world = given.localWorld ? startWorld(given, log) : Promise.resolve(null)
  const url = given.databaseUrl ?? (await startEmbeddedDatabase(given, log, undo))
  await migrate({ url, log })
  const database = openDatabase({ url, log })
  undo.push(() => database.close())
  await verifyKeyring(database.db, keyring, systemClock.now())
  onStep(given.databaseUrl === null ? 'Postgres (embedded)' : 'Postgres')
  const local = await world
  if (local !== null) undo.push(() => local.stop())
  const config = local === null ? given : withLocalWorld(given, local)
  if (local !== null) onStep(`Local world at ${local.restUrl}`)
  const listener = await openListener({ url, log })
  undo.push(() => listener.close())
  const jobs = await openJobs({ url, log, definitions: JOBS })
  undo.push(() => jobs.stop())
  const checkers = openCheckers({ size: Math.min(4, Math.max(1, navigator.hardwareConcurrency)), log })
  undo.push(() => checkers.close())
  const platform: Platform = {
    config,
    db: database.db,
    pool: database.pool,
    clock: systemClock,
    log,
    keyring,
    jobs,
    listener,
    checkers,
  }
  undo.push(() => closeIdentify(platform))
  if (config.role !== 'web') await jobs.work(platform)
  const auth = createAuth(platform)
  undo.push(() => auth.close())
  const server = await listen(platform, auth)
  undo.push(() => drain(server))
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}`, platform }
}

async function startEmbeddedDatabase(
  config: Config,
  log: Logger,
  undo: (() => Promise<unknown> | unknown)[],
): Promise<string> {
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
    log.error({ err: error }, 'the local world did not start')
    return null
  }
}

async function listen(platform: Platform, auth: Auth): Promise<Server> {
  const app = createApp(platform, ENDPOINTS, createLimits(platform.config.limits), {
    auth: auth.handler,
    page: async (request) => docsPage(request) ?? consolePage(request, platform.config),
  })
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port: platform.config.port }, () => resolve(server as Server))
    server.once('error', reject)
  })
}

/** Lets running requests finish, then ends what is left (open streams reconnect by their last seq). */
async function drain(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  const limit = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(limit)
}
