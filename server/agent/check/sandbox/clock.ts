import type { SandboxWorker } from './options.ts'

// The clock of a checked app, which the app's tests can advance: `Date` is then ahead of real time by the same amount in every worker.
// The runtime fires alarms of Durable Objects in real time, so each advance calls the alarm handlers. Between two advances the objects
// cannot call the app.

const CLOCK_MODULE = 'clock.js'
const CLOCKED_MODULE = 'clocked.js'

const CLOCK_SOURCE = `import { WorkerEntrypoint } from 'cloudflare:workers'
const Real = Date
let aheadMs = 0
const now = () => Real.now() + aheadMs
globalThis.Date = new Proxy(Real, {
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
  apply: () => new Real(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})
export class Clock extends WorkerEntrypoint {
  set(ms) { aheadMs = ms }
}
`

/** The clock is imported first, so that the top-level code of a module already uses the advanced time. */
const plainSource = (main: string) => `export { Clock } from './${CLOCK_MODULE}'
export * from './${main}'
export { default } from './${main}'
`

/** Durable Objects can call the app only while the clock advances, so that due jobs run at no other time. */
const liveSource = (main: string) => `import { Clock as Plain } from './${CLOCK_MODULE}'
import { AppObject as Base } from './${main}'
export * from './${main}'
export { default } from './${main}'
const names = new Set()
export class AppObject extends Base {
  #moving
  constructor(ctx, env) {
    const moving = { is: false, work: new Set() }
    const waitUntil = ctx.waitUntil.bind(ctx)
    ctx.waitUntil = (work) => {
      moving.work.add(work)
      waitUntil(work)
    }
    super(ctx, Object.create(env, { APP: { get: () => (moving.is ? env.APP : undefined) } }))
    this.#moving = moving
    if (ctx.id.name !== undefined) names.add(ctx.id.name)
  }
  async clockMoved() {
    const { sql } = this.ctx.storage
    const moving = this.#moving
    moving.is = true
    try {
      if (sql.exec("select 1 from sqlite_master where name = '_alarms'").toArray().length > 0)
        sql.exec("update _alarms set at = 0 where kind in ('schedule', 'timers', 'hooks', 'paid', 'push')")
      await this.alarm()
      while (moving.work.size > 0) {
        const work = [...moving.work]
        moving.work.clear()
        await Promise.allSettled(work)
      }
    } finally {
      moving.is = false
    }
  }
}
export class Clock extends Plain {
  async set(ms) {
    super.set(ms)
    const { OBJECTS } = this.env
    for (const name of names) await OBJECTS.get(OBJECTS.idFromName(name)).clockMoved()
  }
}
`

/** Returns a worker with another entry module, which replaces `Date` by the clock of the tests. */
export function withClock(worker: SandboxWorker, kind: 'plain' | 'live' = 'plain'): SandboxWorker {
  const source = kind === 'live' ? liveSource : plainSource
  return {
    ...worker,
    main: CLOCKED_MODULE,
    modules: { ...worker.modules, [CLOCK_MODULE]: CLOCK_SOURCE, [CLOCKED_MODULE]: source(worker.main) },
  }
}

/** The bindings through which the tests set the clock of each worker. An app without capabilities has no live worker. */
export const clockBindings = (enabled: readonly string[]) => ({
  TESTS_CLOCK: { type: 'worker' as const, worker: 'tests', exportName: 'Clock' },
  APP_CLOCK: { type: 'worker' as const, worker: 'app', exportName: 'Clock' },
  ...(enabled.length > 0 && {
    LIVE_CLOCK: { type: 'worker' as const, worker: 'live', exportName: 'Clock' },
  }),
})
