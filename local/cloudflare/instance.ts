import { rmSync } from 'node:fs'
import { killHard, readProcess } from '../world/processes.ts'
import { readRunFile } from '../world/sweep.ts'
import { internalWorkers } from './internal-workers.ts'
import { buildOptions } from './options.ts'
import type { InstanceSetup } from './options.ts'
import { OWN_ENTRY, workerFirstPaths } from './own-entry.ts'
import { Log, LogLevel, Miniflare } from './miniflare.ts'
import { evictObject } from './ping.ts'
import { type GroupPlan, PING_WORKER } from './plan.ts'

/**
 * A running workerd with the workers of one group. Imported at the first app start only: Miniflare takes half a
 * second and much memory to load. Must stay on the main thread: the kernel ties workerd's life to the thread that
 * started it.
 */
export interface Instance {
  /** The port of each worker's own socket, and of the ping worker. */
  ports: ReadonlyMap<string, number>
  /** The port that a request to this path of a worker goes to. */
  portFor(worker: string, path: string): number | undefined
  pid(): number | null
  reload(plan: GroupPlan): Promise<void>
  /** Resolves when a respawn under way is over, with fresh ports. */
  settled(): Promise<void>
  /** Ends one object in memory; its hibernating sockets stay open. */
  evict(namespaceId: string, objectId: string): Promise<void>
  dispose(): Promise<void>
}

export async function startInstance(plan: GroupPlan, setup: InstanceSetup): Promise<Instance> {
  const options = await buildOptions(plan, setup)
  const miniflare = constructWithoutExitHooks(
    () => new Miniflare({ ...options, log: new Log(LogLevel.NONE) }),
  )
  let current = plan
  const ports = new Map<string, number>()
  const pastAssets = new Map<string, PastAssets>()
  const portOf = async (name: string, entry?: string) =>
    Number((await miniflare.unsafeGetDirectURL(name, entry)).port)
  const readPorts = async () => {
    const fresh: [string, number][] = []
    for (const name of workerNames(current, setup)) fresh.push([name, await portOf(name)])
    const freshPast: [string, PastAssets][] = []
    for (const worker of current.workers) {
      const leads = workerFirstPaths(worker)
      const { name } = worker.script
      if (leads !== null) freshPast.push([name, { leads, port: await portOf(name, OWN_ENTRY) }])
    }
    // In one turn: a request that looks meanwhile must not find an empty list.
    refill(ports, fresh)
    refill(pastAssets, freshPast)
  }
  const dispose = async () => {
    // Rejects once more with the reason of a failed start, which the caller has already.
    await miniflare.dispose().catch(() => {})
    rmSync(setup.runFile, { force: true })
  }
  try {
    await withinBootLimit(miniflare.ready, setup.runFile)
    await readPorts()
  } catch (error) {
    // One that hangs at its top level would be waited for without end.
    const hanging = readRunFile(setup.runFile)
    if (error instanceof BootLimitError && hanging !== null) killHard(hanging.pid)
    await dispose()
    throw error
  }
  return {
    ports,
    portFor: (worker, path) => {
      const past = pastAssets.get(worker)
      return past?.leads(path) === true ? past.port : ports.get(worker)
    },
    pid: () => readRunFile(setup.runFile)?.pid ?? null,
    reload: async (next) => {
      const options = await buildOptions(next, setup)
      await miniflare.setOptions({ ...options, log: new Log(LogLevel.NONE) })
      current = next
      await readPorts()
    },
    settled: async () => {
      await miniflare.ready
      await readPorts()
    },
    evict: (namespaceId, objectId) => evictObject(ports.get(PING_WORKER), namespaceId, objectId),
    dispose,
  }
}

/** Where a worker is reached past its asset router, and which paths lead there. */
interface PastAssets {
  port: number
  leads(path: string): boolean
}

function refill<V>(map: Map<string, V>, entries: [string, V][]): void {
  map.clear()
  for (const [key, value] of entries) map.set(key, value)
}

class BootLimitError extends Error {}

// The provider gives a start one second of CPU time; the runtime itself needs some of it here.
const BOOT_CPU_SECONDS = 4
const BOOT_WALL_MS = 30_000
const BOOT_LOOK_MS = 250

/** Judged by CPU time first: on a busy machine a start may take long without being at fault. */
async function withinBootLimit(ready: Promise<unknown>, runFile: string): Promise<void> {
  const startedAt = performance.now()
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const run = readRunFile(runFile)
      const cpuSeconds = run === null ? 0 : (readProcess(run.pid)?.cpuSeconds ?? 0)
      if (cpuSeconds < BOOT_CPU_SECONDS && performance.now() - startedAt < BOOT_WALL_MS) return
      reject(new BootLimitError('Script startup exceeded CPU time limit.'))
    }, BOOT_LOOK_MS)
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

/** Miniflare's signal handlers call process.exit() before ours could drain; its work at exit stays. */
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
