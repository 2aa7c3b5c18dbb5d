import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../world/log.ts'
import { readNextAlarm } from '../products/durable-objects/alarms.ts'
import { isAdditiveChange } from './additions.ts'
import { InFlightRequests } from './in-flight.ts'
import type { Instance, StartSetup } from './instance.ts'
import type { GroupPlan } from '../workerd/plan.ts'
import { Watchdog } from './watchdog.ts'
import { AppUnavailableError } from '../workerd/groups.ts'

/** Why a process was killed, in the provider's terms. */
export interface Overrun {
  outcome: 'exceededCpu' | 'exceededMemory'
  reason: string
  /** Requests sent before this time (`performance.now()`) may have caused the overrun and are not retried. */
  causedBefore: number
}

export interface GroupDeps {
  readPlan(): GroupPlan
  setup: Omit<StartSetup, 'stateDir' | 'runFile' | 'onLog' | 'onRestart'>
  stateDir: string
  runDir: string
  spinCpuSeconds: number
  /**
   * Runs `work`, which starts a process, when a slot for simultaneous starts is free. First stops idle processes when more than `maxWarm`
   * would run.
   */
  runInStartSlot<T>(work: () => Promise<T>): Promise<T>
  /** Resumes workflow instances whose timers were in the memory of the previous process. */
  resumeWorkflows(sockets: ReadonlyMap<string, string>): Promise<void>
  log: Log
}

const DRAIN_MS = 5000
const MEMORY_DRAIN_MS = 1000
const QUEUE_LIMITS = { waiting: 1000, holdMs: 15_000 }
const CRASH_LIMITS = { count: 3, withinMs: 60_000, holdMs: 30_000 }
const LOG_LINES_MAX = 20
const FAILED_START_HOLD_MS = 1000

/**
 * The workers of one project in one workerd process. The first request starts the process; a deploy restarts it while
 * requests wait.
 */
export class AppGroup {
  readonly id: string
  readonly #deps: GroupDeps
  readonly #requests = new InFlightRequests(QUEUE_LIMITS)
  #instance: Instance | null = null
  #starting: Promise<Instance> | null = null
  #stopping: Promise<void> = Promise.resolve()
  #watchdog: Watchdog | null = null
  #isDirty = false
  /** The workers and resources with which the process was started; null when there is no process. */
  #running: GroupPlan | null = null
  /** Workers or resources were added that the process does not have. The process is restarted only when an addition is needed. */
  #isBehind = false
  #mustRestart = false
  #reloading: Promise<void> | null = null
  #crashedAt: number[] = []
  #startPause: { until: number; reason: string } | null = null
  #sockets = 0
  #isClosed = false
  #isKeptStopped = false
  /** Time of the last start or end of a request (`performance.now()`); the idle timeout counts from it. */
  usedAt = performance.now()
  /** How often the process was killed for exceeding CPU time or memory. */
  overruns = 0
  lastOverrun: Overrun | null = null
  /** A number that changes with each process, so that keep-alive connections to the old process are not reused. */
  generation = 0

  constructor(id: string, deps: GroupDeps) {
    this.id = id
    this.#deps = deps
  }

  get isWarm(): boolean {
    return this.#instance !== null || this.#starting !== null
  }

  get isIdle(): boolean {
    return (
      this.#requests.count === 0 && this.#sockets === 0 && this.#reloading === null && this.#starting === null
    )
  }

  get pid(): number | null {
    return this.#instance?.pid() ?? null
  }

  /** Counts a request to a worker. First restarts the process when the process lacks the worker. */
  async enter(worker: string): Promise<void> {
    this.usedAt = performance.now()
    await this.#requests.enter()
    while (this.#isBehind && !this.#isRunningWorker(worker) && !this.#isClosed) {
      // Leave first: the restart waits for all entered requests, and this request waits for the restart.
      this.#requests.leave()
      // Otherwise `reload` would keep the process and only add the new workers to it.
      this.#mustRestart = true
      this.reload()
      await this.#requests.enter()
    }
  }

  /**
   * Returns whether the process runs this uploaded worker. False for internal workers: they have bindings to all workers and resources, and
   * only a restart adds bindings to new workers and resources.
   */
  #isRunningWorker(worker: string): boolean {
    return this.#running?.workers.some(({ script }) => script.name === worker) === true
  }

  leave(): void {
    this.usedAt = performance.now()
    this.#requests.leave()
  }

  /** Counts open WebSockets. The group is not stopped while a WebSocket is open, but a restart does not wait for WebSockets. */
  countSocket(change: 1 | -1): void {
    this.#sockets += change
    this.usedAt = performance.now()
  }

  /**
   * Returns the Unix socket of a worker; starts the group when it is stopped. Call it between `enter` and `leave`. With a `path`, returns
   * the socket for requests to that path. Throws `AppUnavailableError`.
   */
  async socket(script: string, path?: string): Promise<string> {
    const instance = this.#instance ?? (await this.#startInstance())
    const socket = path === undefined ? instance.sockets.get(script) : instance.socketFor(script, path)
    if (socket === undefined) throw new AppUnavailableError('this worker is not deployed', 1)
    return socket
  }

  /**
   * Waits until workerd is started again after a broken connection. Call it after `leave`: a restart waits for all running requests, so it
   * would otherwise wait for this caller.
   */
  async waitForRespawn(): Promise<void> {
    // The connection may break shortly before Miniflare notices that the process has exited.
    await sleep(50)
    await this.#instance?.ready().catch(() => {})
  }

  /**
   * Restarts the process with the workers and resources that the database now has. Does not restart it when workers or resources were only
   * added and no running worker has a binding to them. Requests that arrive from now on wait, so that none reaches the old code.
   */
  reload(): void {
    // Start the new code immediately, also while starts are refused because the old code crashed repeatedly.
    this.#startPause = null
    if (!this.isWarm || this.#isClosed) return
    this.#isDirty = true
    this.#requests.pause()
    this.#reloading ??= this.#restartWhileDirty()
  }

  /** Resolves when no restart is in progress. */
  async waitForRestart(): Promise<void> {
    await this.#reloading
  }

  async #restartWhileDirty(): Promise<void> {
    // One restart applies all changes that were made meanwhile: a deploy of a project changes several
    // workers.
    while (this.#isDirty) {
      await this.#starting?.catch(() => {})
      if (this.#keepsRunning()) continue
      await this.#requests.drain(DRAIN_MS)
      this.#isDirty = false
      await this.#applyPlan()
    }
    // No `await` may come between the last check of `#isDirty` and the next line: a change during the `await` would start no restart.
    this.#reloading = null
    this.#resumeRequests()
  }

  /**
   * Returns true when no restart is needed, because workers or resources were only added and no running worker has a binding to them.
   */
  #keepsRunning(): boolean {
    if (this.#running === null || this.#instance === null || this.#mustRestart) return false
    try {
      if (!isAdditiveChange(this.#running, this.#deps.readPlan())) return false
    } catch {
      // When the database cannot be read, restart: the restart reads it again and logs the error.
      return false
    }
    this.#isBehind = true
    this.#isDirty = false
    return true
  }

  async #applyPlan(): Promise<void> {
    if (this.#instance === null) return
    this.generation++
    try {
      const plan = this.#deps.readPlan()
      if (plan.workers.length === 0) await this.#stopInstance()
      else {
        await this.#instance.reload(plan)
        this.#setRunning(plan)
        this.#resumeWorkflows(this.#instance)
      }
    } catch (error) {
      // The old process may have ended already. The next request starts a new one.
      this.#deps.log.warn('exchange of an app failed', { group: this.id, error: String(error) })
      await this.#stopInstance()
    }
  }

  async #startInstance(): Promise<Instance> {
    if (this.#isClosed) throw new AppUnavailableError('the local cloud is stopping', 1)
    if (this.#startPause !== null && this.#startPause.until > performance.now()) {
      throw new AppUnavailableError(
        this.#startPause.reason,
        Math.ceil((this.#startPause.until - performance.now()) / 1000),
      )
    }
    this.#starting ??= this.#deps
      .runInStartSlot(() => this.#bootInstance())
      .finally(() => {
        this.#starting = null
      })
    return this.#starting
  }

  async #bootInstance(): Promise<Instance> {
    const { startInstance } = await import('./instance.ts')
    // Two workerd processes cannot share a state folder: the second one crashes.
    await this.#stopping
    const plan = this.#deps.readPlan()
    const logs: string[] = []
    try {
      const instance = await startInstance(plan, {
        ...this.#deps.setup,
        stateDir: this.#deps.stateDir,
        runFile: join(this.#deps.runDir, `${this.id}.json`),
        onLog: (message) => {
          if (logs.push(message) > LOG_LINES_MAX) logs.shift()
        },
        onRestart: () => void this.#afterCrash(),
      })
      this.#instance = instance
      this.#setRunning(plan)
      this.generation++
      this.#watchdog = this.#createWatchdog(instance)
      this.#resumeWorkflows(instance)
      return instance
    } catch (error) {
      this.#pauseStarts(FAILED_START_HOLD_MS, 'the app does not start')
      this.#deps.log.warn('app does not start', {
        group: this.id,
        error: String(error),
        logs: logs.slice(-5),
      })
      throw new AppUnavailableError('the app does not start', 1)
    }
  }

  #createWatchdog(instance: Instance): Watchdog {
    const callbacks = {
      onSpin: (pid: number) => {
        this.#countOverrun({
          outcome: 'exceededCpu',
          reason: 'it exceeded its CPU time',
          causedBefore: Infinity,
        })
        this.#deps.log.warn('app exceeded its CPU time', { group: this.id, pid, outcome: 'exceededCpu' })
      },
      onMemory: (roseAt: number | null) => void this.#restartForMemory(roseAt),
      // `onMemory` has started a restart that waits for running requests. End the process without that wait.
      onFarOverMemory: () => void this.#stopInstance(),
    }
    return new Watchdog(instance, callbacks, { spinCpuSeconds: this.#deps.spinCpuSeconds })
  }

  /** Called when Miniflare has started workerd again after a crash. After repeated crashes, requests are refused for a while. */
  async #afterCrash(): Promise<void> {
    const now = performance.now()
    this.generation++
    this.#crashedAt = [...this.#crashedAt.filter((at) => at > now - CRASH_LIMITS.withinMs), now]
    this.#deps.log.warn('workerd was restarted after a crash', {
      group: this.id,
      crashes: this.#crashedAt.length,
    })
    await this.#instance?.ready().catch(() => {})
    if (this.#crashedAt.length < CRASH_LIMITS.count) {
      if (this.#instance !== null) this.#resumeWorkflows(this.#instance)
      return
    }
    this.#crashedAt = []
    this.#pauseStarts(CRASH_LIMITS.holdMs, 'the app crashed several times in a minute')
    await this.#stopInstance()
  }

  #countOverrun(overrun: Overrun): void {
    this.overruns++
    this.lastOverrun = overrun
  }

  async #restartForMemory(roseAt: number | null): Promise<void> {
    this.#countOverrun({
      outcome: 'exceededMemory',
      reason: 'it exceeded its memory',
      causedBefore: roseAt ?? -Infinity,
    })
    this.#deps.log.warn('app exceeded its memory', { group: this.id, outcome: 'exceededMemory' })
    this.#requests.pause()
    // Forget the plan, so that a deploy during the wait restarts the process even when it only adds workers. Without a restart the deploy
    // would let requests into this process again.
    this.#setRunning(null)
    await this.#requests.drain(MEMORY_DRAIN_MS)
    await this.#stopInstance()
    if (this.#reloading === null) this.#resumeRequests()
  }

  /** Starts to resume workflow instances. Requests do not wait for that. */
  #resumeWorkflows({ sockets }: Instance): void {
    void this.#deps.resumeWorkflows(sockets).catch((error: unknown) =>
      this.#deps.log.warn('workflows of an app were not taken up', {
        group: this.id,
        error: String(error),
      }),
    )
  }

  #pauseStarts(ms: number, reason: string): void {
    this.#startPause = { until: performance.now() + ms, reason }
  }

  #setRunning(plan: GroupPlan | null): void {
    this.#running = plan
    this.#isBehind = false
    this.#mustRestart = false
  }

  async #stopInstance(): Promise<void> {
    const instance = this.#instance
    this.#instance = null
    this.#setRunning(null)
    this.#watchdog?.stop()
    this.#watchdog = null
    if (instance !== null) this.#stopping = instance.dispose()
    await this.#stopping
  }

  /** Stops an idle group. Returns when its next alarm is due (epoch milliseconds), or null. */
  async stop(): Promise<number | null> {
    this.#requests.pause()
    await this.#stopInstance()
    this.#resumeRequests()
    return readNextAlarm(this.#deps.stateDir)
  }

  /** Evicts a Durable Object from memory, as the cloud does with idle ones. Does nothing when the group is stopped. */
  async evict(namespaceId: string, objectId: string): Promise<void> {
    await this.#instance?.evict(namespaceId, objectId)
  }

  /**
   * Stops the process and runs `work` while no process has the state folder open. Requests wait meanwhile. Calls of `runWhileStopped`
   * must not overlap.
   */
  async runWhileStopped<T>(work: () => Promise<T>): Promise<T> {
    this.#isKeptStopped = true
    this.#requests.pause()
    try {
      // Repeat, because a request that entered before the pause may start the process again.
      do {
        await this.#starting?.catch(() => {})
        await this.#requests.drain(DRAIN_MS)
        await this.#stopInstance()
        await this.#reloading
      } while (this.isWarm || this.#requests.count > 0)
      return await work()
    } finally {
      this.#isKeptStopped = false
      this.#resumeRequests()
    }
  }

  /** Lets waiting requests continue. Does nothing while `runWhileStopped` runs, so requests keep waiting even when a restart ends. */
  #resumeRequests(): void {
    if (!this.#isKeptStopped) this.#requests.resume()
  }

  /** Ends the process permanently. Running requests first get at most `drainMs` to end. */
  async close(drainMs: number): Promise<void> {
    this.#isClosed = true
    await this.#requests.drain(drainMs)
    await this.#starting?.catch(() => {})
    await this.#reloading
    await this.#stopInstance()
  }
}
