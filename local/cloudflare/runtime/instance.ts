import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { changeOwner } from '../../world/account.ts'
import { sendSigkill, readProcess, readResidentBytes } from '../../world/processes.ts'
import { readRunFile } from '../../world/sweep.ts'
import { closeConnections, socketOf } from '../workerd/worker-socket.ts'
import { internalWorkers } from './internal-workers.ts'
import { buildOptions } from './options.ts'
import type { InstanceSetup } from './setup.ts'
import { OWN_ENTRY, workerFirstPaths } from './own-entry.ts'
import { Log, LogLevel, Miniflare } from './miniflare.ts'
import { evictObject } from './ping.ts'
import { type GroupPlan, PING_WORKER } from '../workerd/plan.ts'
import { MEMORY_BYTES_MAX, MEMORY_CHECK_MS } from './watchdog.ts'

/**
 * A running workerd process with the workers of one group. This module is imported only when the first app
 * starts, because loading Miniflare takes half a second and much memory. It must run on the main thread: the
 * kernel kills workerd when the thread that started it ends.
 */
export interface Instance {
  /** Sockets by worker name, including the internal workers. */
  sockets: ReadonlyMap<string, string>
  /**
   * Returns the socket for a request to this path: when `run_worker_first` matches the path, the socket that bypasses the asset router,
   * else the socket of the asset router.
   */
  socketFor(worker: string, path: string): string | undefined
  pid(): number | null
  reload(plan: GroupPlan): Promise<void>
  /** Resolves when no respawn is in progress. */
  ready(): Promise<void>
  /** Evicts one object from memory; its hibernating WebSockets stay open. */
  evict(namespaceId: string, objectId: string): Promise<void>
  dispose(): Promise<void>
}

export type StartSetup = Omit<InstanceSetup, 'socketDir'>

export async function startInstance(plan: GroupPlan, given: StartSetup): Promise<Instance> {
  const socketDir = join(given.workerd.socketFolder, randomBytes(4).toString('hex'))
  mkdirSync(socketDir, { mode: 0o700 })
  if (given.workerd.account !== null) changeOwner(socketDir, given.workerd.account)
  const setup = { ...given, socketDir }
  const options = await buildOptions(plan, setup)
  const miniflare = constructWithoutExitHooks(
    () => new Miniflare({ ...options, log: new Log(LogLevel.NONE) }),
  )
  let current = plan
  const sockets = new Map<string, string>()
  const pastAssets = new Map<string, AssetBypass>()
  const nameSockets = () => {
    sockets.clear()
    for (const name of workerNames(current, setup)) sockets.set(name, socketOf(socketDir, name))
    pastAssets.clear()
    for (const worker of current.workers) {
      const isBypassPath = workerFirstPaths(worker)
      const { name } = worker.script
      if (isBypassPath !== null)
        pastAssets.set(name, { isBypassPath, socket: socketOf(socketDir, name, OWN_ENTRY) })
    }
  }
  const dispose = async () => {
    // After a failed start `dispose` rejects with the error that the caller already has.
    const disposed = miniflare.dispose().catch(() => {})
    // Kill workerd now, because `dispose` first waits for a start that is in progress.
    const running = readRunFile(setup.runFile)
    if (running !== null) sendSigkill(running.pid)
    await disposed
    closeConnections(socketDir)
    rmSync(setup.runFile, { force: true })
    rmSync(socketDir, { recursive: true, force: true })
  }
  try {
    await withinBootLimit(miniflare.ready, setup.runFile)
    nameSockets()
  } catch (error) {
    await dispose()
    throw error
  }
  return {
    sockets,
    socketFor: (worker, path) => {
      const past = pastAssets.get(worker)
      return past?.isBypassPath(path) === true ? past.socket : sockets.get(worker)
    },
    pid: () => readRunFile(setup.runFile)?.pid ?? null,
    reload: async (next) => {
      const options = await buildOptions(next, setup)
      await miniflare.setOptions({ ...options, log: new Log(LogLevel.NONE) })
      current = next
      nameSockets()
    },
    ready: async () => {
      await miniflare.ready
    },
    evict: (namespaceId, objectId) => evictObject(socketOf(socketDir, PING_WORKER), namespaceId, objectId),
    dispose,
  }
}

/** The socket that bypasses a worker's asset router. `isBypassPath` returns true for a path whose requests must use this socket. */
interface AssetBypass {
  socket: string
  isBypassPath(path: string): boolean
}

// The provider allows one second of CPU time for a start. This limit is higher, because it includes the start of the runtime.
const BOOT_CPU_SECONDS = 4
const BOOT_WALL_MS = 30_000

/**
 * Rejects when a start exceeds its CPU time, memory or wall time. The limit of wall time is much higher, because on a busy machine a
 * correct start may be slow.
 */
async function withinBootLimit(ready: Promise<unknown>, runFile: string): Promise<void> {
  const startedAt = performance.now()
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const run = readRunFile(runFile)
      const cpuSeconds = run === null ? 0 : (readProcess(run.pid)?.cpuSeconds ?? 0)
      if (run !== null && readResidentBytes(run.pid) > MEMORY_BYTES_MAX)
        reject(new Error('Script startup exceeded memory limit.'))
      else if (cpuSeconds >= BOOT_CPU_SECONDS || performance.now() - startedAt >= BOOT_WALL_MS)
        reject(new Error('Script startup exceeded CPU time limit.'))
    }, MEMORY_CHECK_MS)
  })
  try {
    await Promise.race([ready, limit])
  } finally {
    clearInterval(timer)
  }
}

function workerNames(plan: GroupPlan, setup: InstanceSetup): string[] {
  const names = plan.workers.map((worker) => worker.script.name)
  const internal = internalWorkers(plan, setup.stateDir === null).filter((worker) => worker.hasSocket)
  return [...names, ...internal.map((worker) => worker.name)]
}

/**
 * Removes the signal handlers that Miniflare installs: they call process.exit() while the handlers of this
 * program still wait for requests.
 */
function constructWithoutExitHooks<T>(construct: () => T): T {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const before = signals.map((signal) => process.listeners(signal))
  const miniflare = construct()
  for (const [index, signal] of signals.entries()) {
    for (const listener of process.listeners(signal)) {
      if (before[index]?.includes(listener) !== true) process.removeListener(signal, listener)
    }
  }
  return miniflare
}
