import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../../world/ids.ts'
import type { Log } from '../../world/log.ts'
import type { Store } from '../../world/store.ts'
import { readNextAlarm } from '../products/durable-objects/alarms.ts'
import { AppGroup } from './app-group.ts'
import { fetchWorker } from '../workerd/worker-socket.ts'
import type { StartSetup } from './instance.ts'
import type { Blobs } from '../store/blobs.ts'
import type { InstanceSetup } from './setup.ts'
import { bootIdentity, PING_WORKER, readGroupPlan, WORKFLOWS_WORKER } from '../workerd/plan.ts'
import type { GroupPlan, PlannedWorker } from '../workerd/plan.ts'
import { readActiveVersion } from '../store/scripts.ts'
import type { RpcHandlers } from '../workerd/rpc.ts'
import { observationOf } from '../observability/tail/observation.ts'
import type { TailSessions } from '../observability/tail/sessions.ts'
import { TAIL_WORKER } from '../observability/tail/worker-source.ts'
import { Semaphore } from '../../world/semaphore.ts'
import type { Namespace, Script } from '../types.ts'
import type { Inspection } from './validate.ts'
import { hasActiveInstances } from '../products/workflows/instance-files.ts'
import { resumeInstances } from '../products/workflows/instances.ts'
import { AppUnavailableError, WaitRefusedError } from '../workerd/groups.ts'

export interface AppsOptions {
  store: Store
  blobs: Blobs
  dir: string
  workerd: InstanceSetup['workerd']
  appsPort: number
  egressAllow: string[]
  standIns: InstanceSetup['standIns']
  maxWarm: number | null
  idleMs: number
  spinCpuSeconds: number
  /** A process with active workflows that was stopped because too many processes ran is started again after at most this time. */
  workflowWakeMs: number
  tails: TailSessions
  rpcHandlers: RpcHandlers
  /** True when a group has a queue message or a cron tick to handle within this time. */
  hasWorkDueWithin(groupId: string, ms: number): boolean
  log: Log
}

const IDLE_CHECK_MS = 5000
// A group with an alarm or message that is due within this time is not stopped as idle.
const DUE_SOON_MS = 60_000

// The time that running requests get to end when a group is removed, because its workers were deleted or
// moved to another group.
const REMOVE_DRAIN_MS = 3000
const VALIDATED_CACHE_MAX = 200
// An app that could not be started for its alarm is started again after this time.
const WAKE_RETRY_MS = 5 * 60_000

function earliestTime(...times: (number | null)[]): number | null {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/**
 * The app processes of all accounts, one per group of workers. Starts them on demand, stops idle ones, and
 * starts stopped ones when an alarm is due.
 */
export class Apps {
  readonly #options: AppsOptions
  readonly #groups = new Map<string, AppGroup>()
  readonly #wakeTimers = new Map<string, NodeJS.Timeout>()
  readonly #startSemaphore = new Semaphore(availableParallelism())
  /**
   * Results of successful validations, by a hash of the workers' code. An upload and its deployment, and projects with the same
   * capabilities, validate the same code; only the first validation starts a process.
   */
  readonly #validatedWorkers = new Map<string, Inspection>()
  readonly #idleTimer: NodeJS.Timeout
  #isClosed = false
  starts = 0

  constructor(options: AppsOptions) {
    this.#options = options
    this.#idleTimer = setInterval(
      () => void this.#stopIdle(),
      Math.min(IDLE_CHECK_MS, options.idleMs),
    ).unref()
  }

  /** Caches which script serves a host name; null when none does. The router fills the cache, and every change clears it. */
  readonly hosts = new Map<string, Script | null>()

  group(groupId: string, accountId: string): AppGroup {
    let group = this.#groups.get(groupId)
    if (group === undefined) {
      group = new AppGroup(groupId, {
        readPlan: () => ({
          ...readGroupPlan(this.#options.store, groupId, accountId),
          listening: this.#options.tails.listening(accountId),
        }),
        setup: this.#setupOf(accountId),
        stateDir: this.stateDir(accountId, groupId),
        runDir: join(this.#options.dir, 'run'),
        runInStartSlot: (work) => this.#runInStartSlot(work),
        resumeWorkflows: (sockets) =>
          resumeInstances(
            this.#options,
            { id: groupId },
            { socket: sockets.get(WORKFLOWS_WORKER), stateDir: this.stateDir(accountId, groupId) },
          ),
        spinCpuSeconds: this.#options.spinCpuSeconds,
        log: this.#options.log,
      })
      this.#groups.set(groupId, group)
    }
    return group
  }

  get warm(): AppGroup[] {
    return [...this.#groups.values()].filter((group) => group.isWarm)
  }

  stateDir(accountId: string, groupId: string): string {
    return join(this.#options.dir, 'cloud', accountId, groupId, 'state')
  }

  /**
   * Starts the workers of `plan`, of which `candidate` is new, in a temporary process. Returns the exports of
   * `candidate`. Throws when the process does not start.
   */
  async validate(plan: GroupPlan, candidate: PlannedWorker): Promise<Inspection> {
    const key = sha256(bootIdentity(plan, candidate))
    const known = this.#validatedWorkers.get(key)
    if (known !== undefined) return known
    const { validateBoot } = await import('./validate.ts')
    const setup = { ...this.#setupOf(plan.accountId), runDir: join(this.#options.dir, 'run') }
    const found = await this.#startSemaphore.run(() => validateBoot(plan, candidate, setup))
    const oldest = this.#validatedWorkers.keys().next().value
    if (this.#validatedWorkers.size >= VALIDATED_CACHE_MAX && oldest !== undefined)
      this.#validatedWorkers.delete(oldest)
    this.#validatedWorkers.set(key, found)
    return found
  }

  /**
   * Makes a worker report all its invocations after a tail session was opened for the worker. Restarts the process when the worker does not
   * report invocations yet.
   */
  async listen(script: Script): Promise<void> {
    const group = this.group(script.groupId, script.accountId)
    if (!group.isWarm) return
    const content = readActiveVersion(this.#options.store, script.id)?.content
    if (content !== undefined && observationOf(script, content) !== 'invocations') {
      group.reload()
      await group.waitForRestart()
      return
    }
    try {
      await group.enter(TAIL_WORKER)
      try {
        const socket = await group.socket(TAIL_WORKER)
        const names = this.#options.tails.listening(script.accountId)
        await fetchWorker(socket, '/', { method: 'POST', body: JSON.stringify(names) })
      } finally {
        group.leave()
      }
    } catch (error) {
      // Ignore a group that is unavailable or ends during the request (`TypeError` of `fetch`): the group's next start reads the tail
      // sessions.
      const isUnavailable = error instanceof AppUnavailableError || error instanceof WaitRefusedError
      if (!isUnavailable && !(error instanceof TypeError)) throw error
    }
  }

  /**
   * Called after a committed change: reloads the group, removes groups that were merged into other groups, and clears the host name cache.
   */
  applyGroupChange(accountId: string, groupId: string): void {
    this.hosts.clear()
    this.group(groupId, accountId).reload()
    for (const group of this.#groups.values()) {
      if (!this.#exists(group.id)) void this.remove(accountId, group.id)
    }
  }

  async remove(accountId: string, groupId: string): Promise<void> {
    const group = this.#groups.get(groupId)
    this.#groups.delete(groupId)
    clearTimeout(this.#wakeTimers.get(groupId))
    this.#wakeTimers.delete(groupId)
    await group?.close(REMOVE_DRAIN_MS)
    await rm(join(this.#options.dir, 'cloud', accountId, groupId), { recursive: true, force: true })
  }

  /** Deletes the data of removed namespaces once no process has it open. */
  async deleteObjectData(script: Script, namespaceIds: string[]): Promise<void> {
    await this.#groups.get(script.groupId)?.waitForRestart()
    for (const id of namespaceIds) {
      await rm(join(this.stateDir(script.accountId, script.groupId), 'do', id), {
        recursive: true,
        force: true,
      })
    }
  }

  /** Lists the ids of the Durable Objects of a namespace. Only objects with stored data have a file. */
  listObjects(script: Script, namespace: Namespace): string[] {
    const folder = join(this.stateDir(script.accountId, script.groupId), 'do', namespace.id)
    if (!existsSync(folder)) return []
    return readdirSync(folder)
      .filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
      .map((name) => name.slice(0, -'.sqlite'.length))
  }

  /**
   * Schedules the start of every stopped group (the workers of one app, which share a process) that has an alarm or an active workflow.
   * An alarm that became due while the machine was off fires now.
   */
  scheduleWakes(): void {
    const groups = this.#options.store.all<{ id: string; account_id: string }>(
      'SELECT id, account_id FROM groups',
    )
    for (const { id: groupId, account_id: accountId } of groups) {
      const stateDir = this.stateDir(accountId, groupId)
      if (!existsSync(stateDir)) continue
      const at = hasActiveInstances(stateDir) ? Date.now() : readNextAlarm(stateDir)
      this.#wakeAt(this.group(groupId, accountId), at)
    }
  }

  async close(drainMs: number): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#idleTimer)
    for (const timer of this.#wakeTimers.values()) clearTimeout(timer)
    await Promise.all([...this.#groups.values()].map((group) => group.close(drainMs)))
  }

  #setupOf(accountId: string): Omit<StartSetup, 'stateDir' | 'runFile' | 'onLog' | 'onRestart'> {
    const { blobs, dir, appsPort, egressAllow, standIns, workerd, tails, rpcHandlers } = this.#options
    return {
      blobs,
      appsPort,
      egressAllow,
      standIns,
      workerd,
      rpcHandlers,
      onReports: (reports) => {
        tails.receive(accountId, reports)
        return tails.listening(accountId)
      },
      onWritten: (written) => tails.receiveWritten(accountId, written),
      assetFolder: async ({ content }) => {
        if (content.assets === null) return null
        const files = Object.entries(content.assets.files).map(([path, digest]) => ({ path, digest }))
        // Named by a hash of its content, so that versions with the same assets share the folder.
        const folder = join(dir, 'cloud', accountId, 'assets', sha256(JSON.stringify(files)))
        await blobs.buildFolder(accountId, folder, files)
        return folder
      },
    }
  }

  async #runInStartSlot<T>(work: () => Promise<T>): Promise<T> {
    return this.#startSemaphore.run(async () => {
      // Wait one microtask: `#stopSurplusGroups` must count the starting group as running, and the caller sets `#starting` only after this
      // function has returned.
      await Promise.resolve()
      await this.#stopSurplusGroups()
      const started = await work()
      this.starts++
      return started
    })
  }

  async #stopSurplusGroups(): Promise<void> {
    const cap =
      this.#options.maxWarm ?? Math.min(30, Math.max(4, Math.floor((totalmem() * 0.25) / (64 * 1024 * 1024))))
    const running = this.warm.filter((group) => group.isIdle).sort((a, b) => a.usedAt - b.usedAt)
    // The group that is being started is included in `warm`.
    const surplus = this.warm.length - cap
    for (const group of running.slice(0, Math.max(0, surplus))) {
      const nextAlarm = await group.stop()
      // Start the group again later, so that its workflows continue.
      const hasWorkflows = hasActiveInstances(this.#stateDirOf(group))
      const nextCheck = hasWorkflows ? Date.now() + this.#options.workflowWakeMs : null
      this.#wakeAt(group, earliestTime(nextAlarm, nextCheck))
    }
  }

  async #stopIdle(): Promise<void> {
    const before = performance.now() - this.#options.idleMs
    for (const group of this.warm) {
      if (!group.isIdle || group.usedAt > before) continue
      const stateDir = this.#stateDirOf(group)
      // A sleep or wait of a workflow is a timer in the process, so the process must keep running.
      if (hasActiveInstances(stateDir)) continue
      const nextAlarm = readNextAlarm(stateDir)
      if (nextAlarm !== null && nextAlarm - Date.now() < DUE_SOON_MS) continue
      if (this.#options.hasWorkDueWithin(group.id, DUE_SOON_MS)) continue
      this.#wakeAt(group, await group.stop())
    }
  }

  #stateDirOf(group: AppGroup): string {
    const sql = 'SELECT account_id FROM groups WHERE id = ?'
    const row = this.#options.store.get<{ account_id: string }>(sql, group.id)
    return this.stateDir(String(row?.account_id), group.id)
  }

  #wakeAt(group: AppGroup, at: number | null): void {
    clearTimeout(this.#wakeTimers.get(group.id))
    if (at === null) return
    // A timer can wait at most 24.8 days. For a later alarm, it fires early and checks again.
    const delayMs = Math.min(Math.max(0, at - Date.now()), 2 ** 31 - 1)
    this.#wakeTimers.set(group.id, setTimeout(() => void this.#wakeGroup(group), delayMs).unref())
  }

  async #wakeGroup(group: AppGroup): Promise<void> {
    try {
      await group.enter(PING_WORKER)
      await group.socket(PING_WORKER).finally(() => group.leave())
    } catch (error) {
      this.#options.log.warn('an app could not be woken for its alarm', {
        group: group.id,
        error: String(error),
      })
      // Retry: the alarm remains due, and nothing else starts the app before the next request.
      if (!this.#isClosed && this.#exists(group.id)) this.#wakeAt(group, Date.now() + WAKE_RETRY_MS)
    }
  }

  #exists(groupId: string): boolean {
    return this.#options.store.get('SELECT 1 FROM groups WHERE id = ?', groupId) !== undefined
  }
}
