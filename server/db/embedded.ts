import { rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { chooseAccount, type SystemAccount } from './embedded/account.ts'
import { prepareBinaries } from './embedded/binaries.ts'
import { ensureCluster, SUPERUSER_NAME } from './embedded/cluster.ts'
import { takeOwnership } from './embedded/owner.ts'
import { prepareFolders, writePointer, type DatabaseFolders } from './embedded/folders.ts'
import {
  findRunning,
  POSTMASTER_SETTINGS,
  startPostmaster,
  stopPostmaster,
  urlOfDatabase,
} from './embedded/postmaster.ts'
import type { Postmaster } from './embedded/postmaster.ts'
import { ensureServiceRole, SERVICE_ROLE } from './embedded/role.ts'

export interface EmbeddedOptions {
  dataDir: string
  log: Logger
  /** False only for temporary clusters in tests, whose data may be lost in a crash. */
  durable?: boolean
  settings?: Record<string, string>
  /** The folder for the database cluster when the operating-system account of Postgres cannot access the data directory. */
  fallbackDir?: string
  /** How long a start waits for a service that owns the database, because that service may be exiting. */
  ownerWaitMs?: number
}

export interface EmbeddedDatabase {
  /** The address with which the service connects, as an ordinary role. */
  url: string
  /** The address of the same database for the superuser, which may do more than the service's role. */
  adminUrl: string
  /** Returns the process id of the server, which changes with a restart; null during a restart. */
  pid(): number | null
  /** Stops the server. Close every pool before this call. */
  stop(): Promise<void>
}

const DATABASE_NAME = 'slipway'
const RESTARTS_PER_MINUTE = 5

const startedDatabases = new Set<Promise<EmbeddedDatabase>>()

/**
 * Starts the Postgres of a data directory, or takes over a running server, and restarts the server whenever it ends.
 * Throws when another service owns the directory.
 */
export function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const starting = takeAndStart(options)
  startedDatabases.add(starting)
  starting.catch(() => startedDatabases.delete(starting))
  return starting
}

/**
 * Stops all databases that this process has started, also those that are still starting. A command calls it when a signal ends the command,
 * because the servers have process groups of their own and would keep running.
 */
export async function stopStartedDatabases(): Promise<void> {
  await Promise.allSettled([...startedDatabases].map(async (starting) => (await starting).stop()))
}

async function takeAndStart(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const account = chooseAccount()
  const fallbackDir = options.fallbackDir ?? '/var/lib/slipway'
  const folders = await prepareFolders(options.dataDir, account, fallbackDir)
  const release = await takeOwnership(join(folders.home, 'service.lock'), options.ownerWaitMs)
  try {
    return await startOwnDatabase({ ...options, fallbackDir }, folders, account, release)
  } catch (error) {
    release()
    throw error
  }
}

async function startOwnDatabase(
  options: EmbeddedOptions & { fallbackDir: string },
  folders: DatabaseFolders,
  account: SystemAccount | null,
  release: () => void,
): Promise<EmbeddedDatabase> {
  const binaries = await prepareBinaries(account, options.fallbackDir)
  const durable = options.durable ?? true
  const password = await ensureCluster({ folders, account, initdb: binaries.initdb, durable })
  await writePointer(folders)
  const settings = { ...POSTMASTER_SETTINGS, ...options.settings }
  const findOrStart = async (): Promise<Postmaster> =>
    (await findRunning(folders, password)) ??
    startPostmaster({ folders, account, program: binaries.postgres, password, settings })

  let server: Postmaster | null = await findOrStart()
  const adminUrlOf = (database: string) =>
    urlOfDatabase(folders, { role: SUPERUSER_NAME, password }, database)
  const servicePassword = await ensureServiceRole({ cluster: folders.cluster, adminUrlOf })
  const url = urlOfDatabase(folders, { role: SERVICE_ROLE, password: servicePassword }, DATABASE_NAME)
  const connection = join(folders.home, 'connection.json')
  await writeFile(connection, JSON.stringify({ url }), { mode: 0o600 })

  const stopping = new AbortController()
  const supervised = keepRunning(
    { log: options.log, signal: stopping.signal, launch: findOrStart, first: server },
    (next) => {
      server = next
    },
  )
  const stopOwned = async () => {
    stopping.abort()
    if (server !== null) await stopPostmaster(server)
    await supervised
    rmSync(connection, { force: true })
    release()
  }
  let stopped: Promise<void> | null = null
  return {
    url,
    adminUrl: adminUrlOf(DATABASE_NAME),
    pid: () => server?.pid ?? null,
    // Stops only once: a second call could release the lock after the next owner has taken it.
    stop: () => (stopped ??= stopOwned()),
  }
}

// Restarts the server whenever it ends. Meanwhile the service returns 503, and its pools reconnect by themselves.
async function keepRunning(
  options: { log: Logger; signal: AbortSignal; launch: () => Promise<Postmaster>; first: Postmaster },
  onChange: (server: Postmaster | null) => void,
): Promise<void> {
  const { log, signal } = options
  let restarts: number[] = []
  let server: Postmaster | null = options.first
  for (;;) {
    if (server !== null) await server.ended
    onChange(null)
    if (signal.aborted) return
    restarts = restarts.filter((at) => performance.now() - at < 60_000)
    const waitMs = restarts.length < RESTARTS_PER_MINUTE ? 200 * restarts.length ** 2 : 60_000
    log.error({ waitMs }, 'the embedded database stopped by itself; starting it again')
    await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return
    restarts.push(performance.now())
    server = await options.launch().catch((error: unknown) => {
      log.error({ err: error }, 'the embedded database did not start again')
      return null
    })
    if (server !== null && signal.aborted) await stopPostmaster(server)
    onChange(server)
  }
}
