import type { SandboxWorker } from './options.ts'

const FLOWS_WORKER = 'flows'

/**
 * The provider's workflow engine, in memory, for a check. A run continues at once until it waits for the clock or a signal.
 * After the wait, the run starts again with its stored steps. A failed step is retried without a delay.
 */
export const FLOWS_SOURCE = `import { RpcTarget, WorkerEntrypoint } from 'cloudflare:workers'
const QUIET_MS = 20
const ENDED_STATUSES = ['complete', 'errored', 'terminated']
const runsById = new Map()
let aheadMs = 0
let passedMs = 0
const currentMs = () => Math.max(passedMs, Date.now() + aheadMs)
const errorFields = (error) => ({ name: error?.name ?? 'Error', message: String(error?.message ?? error) })
const errorFromFields = ({ name, message }) => Object.assign(new Error(message), { name })

class Steps extends RpcTarget {
  #run
  #counts = new Map()
  #busy = 0
  #blocked = 0
  #timer
  #suspend
  suspended = new Promise((resolve) => { this.#suspend = resolve })
  constructor(run) { super(); this.#run = run }
  #begin(kind, name) {
    clearTimeout(this.#timer)
    const key = kind + ' ' + name
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    return key + ' ' + count
  }
  // A handler may run one step while another one waits, so suspend the run only after a moment without a running step.
  #rest() {
    if (this.#busy === 0 && this.#blocked > 0) this.#timer = setTimeout(() => this.#suspend(), QUIET_MS)
  }
  #block(key, until) {
    this.#run.wakes.set(key, until)
    this.#blocked++
    this.#rest()
    return new Promise(() => {})
  }
  #stored(key) {
    this.#rest()
    const { error, value } = this.#run.done.get(key)
    if (error !== undefined) throw errorFromFields(error)
    return value
  }
  async do(name, { retries }, work) {
    const key = this.#begin('do', name)
    const { done } = this.#run
    this.#busy++
    try {
      for (let attempt = 0; !done.has(key); attempt++)
        try {
          done.set(key, { value: await work() })
        } catch (error) {
          if (error.name === 'NonRetryableError' || attempt >= retries.limit) done.set(key, { error: errorFields(error) })
        }
    } finally {
      this.#busy--
    }
    return this.#stored(key)
  }
  async sleep(name, ms) {
    const key = this.#begin('sleep', name)
    const until = this.#run.wakes.get(key) ?? currentMs() + ms
    return currentMs() < until ? this.#block(key, until) : this.#rest()
  }
  async waitForEvent(name, { type, timeout }) {
    const key = this.#begin('wait', name)
    const { done, events, wakes } = this.#run
    if (!done.has(key)) {
      const until = wakes.get(key) ?? currentMs() + timeout
      const at = events.findIndex((one) => one.type === type)
      if (at >= 0) done.set(key, { value: events.splice(at, 1)[0] })
      else if (currentMs() < until) return this.#block(key, until)
      else done.set(key, { error: { name: 'WorkflowTimeoutError', message: 'Execution timed out after ' + timeout + 'ms' } })
      wakes.delete(key)
    }
    return this.#stored(key)
  }
}

async function advanceRun(run, app) {
  if (ENDED_STATUSES.includes(run.status)) return
  run.isDue = true
  if (run.isRunning) return
  run.isRunning = true
  try {
    while (run.isDue && !ENDED_STATUSES.includes(run.status)) {
      run.isDue = false
      run.status = 'running'
      const steps = new Steps(run)
      const ended = app.run({ payload: run.params, instanceId: run.id, timestamp: new Date() }, steps)
      const set = (change) => { if (run.status === 'running') Object.assign(run, change) }
      await Promise.race([
        steps.suspended.then(() => set({ status: 'waiting' })),
        ended.then((output) => set({ status: 'complete', output }), (error) => set({ status: 'errored', error: errorFields(error) })),
      ])
    }
  } finally {
    run.isRunning = false
  }
}

class Run extends RpcTarget {
  #run
  #app
  constructor(run, app) { super(); this.#run = run; this.#app = app }
  status() {
    const { status, output, error } = this.#run
    return { status, output, error }
  }
  async sendEvent(event) {
    this.#run.events.push(event)
    await advanceRun(this.#run, this.#app)
  }
  terminate() {
    if (ENDED_STATUSES.includes(this.#run.status)) throw new Error('Cannot terminate instance since its on a finite state')
    this.#run.status = 'terminated'
  }
}

export class Flow extends WorkerEntrypoint {
  async create({ id, params }) {
    if (runsById.has(id)) throw new Error('(instance.already_exists) Provided id already exists')
    const run = { id, params, status: 'queued', done: new Map(), wakes: new Map(), events: [] }
    runsById.set(id, run)
    await advanceRun(run, this.env.APP)
    return { id }
  }
  get(id) {
    if (!runsById.has(id)) throw new Error('instance.not_found')
    return new Run(runsById.get(id), this.env.APP)
  }
}

export class Clock extends WorkerEntrypoint {
  // Advances to the wake time of each run in turn, so that the second of two sleeps begins when the first sleep ends.
  async set(ms) {
    const target = Date.now() + ms
    aheadMs = -Infinity
    for (;;) {
      const due = [...runsById.values()].flatMap((run) => {
        const times = ENDED_STATUSES.includes(run.status) ? [] : [...run.wakes.values()].filter((at) => at > passedMs && at <= target)
        return times.length === 0 ? [] : [{ run, at: Math.min(...times) }]
      }).sort((a, b) => a.at - b.at)[0]
      if (due === undefined) break
      passedMs = due.at
      await advanceRun(due.run, this.env.APP)
    }
    aheadMs = ms
  }
}
export default {}
`

/** Binds the engine to the app and to its tests. */
export const FLOW_BINDING = { type: 'worker' as const, worker: FLOWS_WORKER, exportName: 'Flow' }

/** The tests advance this clock last, because it resumes runs, whose code reads the clocks of the app and of the Durable Objects. */
export const FLOW_CLOCK = { type: 'worker' as const, worker: FLOWS_WORKER, exportName: 'Clock' }

/** Returns the engine, bound to the worker `app` whose flows it runs. */
export const flowsWorker = (
  runtime: Pick<SandboxWorker, 'compatibilityDate' | 'compatibilityFlags'>,
): SandboxWorker => ({
  ...runtime,
  name: FLOWS_WORKER,
  main: 'main.js',
  modules: { 'main.js': FLOWS_SOURCE },
  env: { APP: { type: 'worker', worker: 'app', exportName: 'AppFlow' } },
})
