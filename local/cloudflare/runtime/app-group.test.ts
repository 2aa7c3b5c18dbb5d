import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { AppGroup, GroupDeps } from './app-group.ts'
import type { Instance, StartSetup } from './instance.ts'
import type { GroupPlan, PlannedWorker } from '../workerd/plan.ts'
import { WaitRefusedError } from '../workerd/groups.ts'

type Start = (plan: GroupPlan, setup: Pick<StartSetup, 'onRestart' | 'onLog'>) => Promise<Instance>

/**
 * A module to import instead of `./instance.ts`, which starts workerd. The query in `MODULE` makes Node load
 * a second copy of `app-group.ts`, so that other tests keep the real import.
 */
const STAND_IN = `data:text/javascript,${encodeURIComponent(`
  export const startInstance = (plan, setup) => globalThis.startTestInstance(plan, setup)`)}`
const MODULE = './app-group.ts?without-workerd'

const planOf = (...names: string[]): GroupPlan => ({
  groupId: 'g1',
  accountId: 'a1',
  workers: names.map(
    (name) =>
      ({
        script: { id: name, name },
        version: null,
        content: { bindings: [] },
        namespaces: [],
      }) as unknown as PlannedWorker,
  ),
  resources: [],
  workflows: [],
  listening: [],
})

/** Waits until all pending promise callbacks have run. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('the process of the workers of one project', () => {
  let Group: typeof AppGroup
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === './instance.ts' && context.parentURL?.includes('without-workerd') === true
        ? { url: STAND_IN, shortCircuit: true }
        : next(name, context),
  })
  before(async () => {
    ;({ AppGroup: Group } = (await import(MODULE)) as { AppGroup: typeof AppGroup })
  })
  after(() => {
    hooks.deregister()
    Reflect.deleteProperty(globalThis, 'startTestInstance')
  })

  /** Creates a group that starts plain objects instead of workerd processes. `events` lists their starts and ends, in order. */
  function openGroup(first: GroupPlan = planOf('app')) {
    const events: string[] = []
    const warnings: string[] = []
    const world = {
      events,
      get processEvents() {
        return events.filter((event) => event !== 'resume workflows')
      },
      warnings,
      plan: first,
      /** When set, reading the plan fails with this error. */
      planError: null as Error | null,
      crash: () => {},
      onStart: async () => {},
      onReload: async () => {},
      onDispose: async () => {},
    }
    const start: Start = async (plan, setup) => {
      events.push(`start ${plan.workers.map(({ script }) => script.name).join()}`)
      await world.onStart()
      world.crash = () => setup.onRestart()
      const sockets = new Map(plan.workers.map(({ script }) => [script.name, `/${script.name}`]))
      return {
        sockets,
        socketFor: (worker, path) => (path === '/assets' ? `/assets-of-${worker}` : sockets.get(worker)),
        pid: () => null,
        reload: async (next) => {
          await world.onReload()
          events.push(`reload ${next.workers.map(({ script }) => script.name).join()}`)
          for (const { script } of next.workers) sockets.set(script.name, `/${script.name}`)
        },
        ready: async () => {},
        evict: async () => {},
        dispose: async () => {
          await world.onDispose()
          events.push('dispose')
        },
      }
    }
    Object.assign(globalThis, { startTestInstance: start })
    const deps = {
      readPlan: () => {
        if (world.planError !== null) throw world.planError
        return world.plan
      },
      setup: {} as GroupDeps['setup'],
      stateDir: join(tmpdir(), 'slipway-no-such-folder'),
      runDir: tmpdir(),
      spinCpuSeconds: 10,
      runInStartSlot: (work) => work(),
      resumeWorkflows: async () => void events.push('resume workflows'),
      log: { info: () => {}, warn: (message) => void warnings.push(message) },
    } satisfies GroupDeps
    const group = new Group('g1', deps)
    const request = async (worker = 'app') => {
      await group.enter(worker)
      return group.socket(worker)
    }
    /** Sends a request that ends immediately. */
    const visit = async (worker = 'app') => {
      try {
        return await request(worker)
      } finally {
        group.leave()
      }
    }
    const starts = () => events.filter((event) => event.startsWith('start')).length
    return { world, group, request, visit, starts }
  }

  test('the first request to an app starts its process, and simultaneous requests start only one process', async () => {
    const { world, group, request, starts } = openGroup()
    assert.deepEqual([group.isWarm, group.generation], [false, 0])
    assert.deepEqual(await Promise.all([request(), request(), request()]), ['/app', '/app', '/app'])
    assert.deepEqual([starts(), group.isWarm, group.generation], [1, true, 1])
    assert.deepEqual(world.events, ['start app', 'resume workflows'])
  })

  test("an undeployed worker gets no requests, and a worker with several sockets gets each request on its path's socket", async () => {
    const { group, visit } = openGroup()
    await assert.rejects(visit('other'), { message: 'this worker is not deployed', retryAfterSeconds: 1 })
    await group.enter('app')
    assert.equal(await group.socket('app', '/assets'), '/assets-of-app')
    group.leave()
  })

  test('an app process is idle only while it has no WebSocket and is not starting', async () => {
    const { group, visit } = openGroup()
    const starting = visit()
    assert.equal(group.isIdle, false)
    await starting
    assert.equal(group.isIdle, true)
    group.countSocket(1)
    assert.equal(group.isIdle, false)
    group.countSocket(-1)
    assert.equal(group.isIdle, true)
  })

  test('a deploy waits for running requests, and requests that arrive during it reach only the new code', async () => {
    const { world, group, request, visit } = openGroup()
    await request()
    world.plan = planOf('next')
    group.reload()
    const waiting = visit('next')
    await settle()
    assert.deepEqual(world.events, ['start app', 'resume workflows'])
    group.leave()
    assert.equal(await waiting, '/next')
    await group.waitForRestart()
    assert.deepEqual(world.events, ['start app', 'resume workflows', 'reload next', 'resume workflows'])
    assert.equal(group.generation, 2)
  })

  test('deploys during a restart of an app process are applied together by one further restart', async () => {
    const { world, group, visit } = openGroup()
    await visit()
    const restart = Promise.withResolvers<void>()
    world.onReload = () => restart.promise
    world.plan = planOf('second')
    group.reload()
    await settle()
    for (const name of ['third', 'fourth']) {
      world.plan = planOf(name)
      group.reload()
    }
    restart.resolve()
    await group.waitForRestart()
    assert.deepEqual(
      world.events.filter((event) => event.startsWith('reload')),
      ['reload second', 'reload fourth'],
    )
    assert.equal(await visit('fourth'), '/fourth')
  })

  test('a deploy during the start of an app process is applied after the start', async () => {
    const { world, group, visit } = openGroup()
    const boot = Promise.withResolvers<void>()
    world.onStart = () => boot.promise
    const first = visit()
    await settle()
    world.plan = planOf('next')
    group.reload()
    boot.resolve()
    await first
    await group.waitForRestart()
    assert.deepEqual(world.processEvents, ['start app', 'reload next'])
  })

  test('a deploy that only adds a worker restarts the app process at the first call of that worker', async () => {
    const { world, group, visit } = openGroup()
    await visit()
    world.plan = planOf('app', 'added')
    group.reload()
    await group.waitForRestart()
    assert.equal(await visit(), '/app')
    assert.deepEqual(world.events, ['start app', 'resume workflows'])
    assert.deepEqual(await Promise.all([visit('added'), visit('added')]), ['/added', '/added'])
    assert.deepEqual(world.events, ['start app', 'resume workflows', 'reload app,added', 'resume workflows'])
  })

  test('a deploy that removes the last worker ends the app process', async () => {
    const { world, group, visit } = openGroup()
    await visit()
    world.plan = planOf()
    group.reload()
    await group.waitForRestart()
    assert.equal(group.isWarm, false)
    assert.equal(world.events.at(-1), 'dispose')
  })

  test('when the restart of an app process fails, the next request starts a new process with the new code', async () => {
    const { world, group, visit } = openGroup()
    await visit()
    world.onReload = () => Promise.reject(new Error('broken'))
    world.plan = planOf('next')
    group.reload()
    await group.waitForRestart()
    assert.deepEqual([group.isWarm, world.warnings], [false, ['exchange of an app failed']])
    assert.equal(await visit('next'), '/next')
    assert.deepEqual(world.processEvents, ['start app', 'dispose', 'start next'])
  })

  test('when a deploy cannot read the list of workers, the app process ends, and requests fail until it can', async () => {
    const { world, group, visit } = openGroup()
    await visit()
    world.planError = new Error('no plan')
    group.reload()
    await group.waitForRestart()
    assert.equal(group.isWarm, false)
    await assert.rejects(visit(), /no plan/)
    world.planError = null
    assert.equal(await visit(), '/app')
  })

  test('an app process that failed to start is started again only after the next deploy', async () => {
    const { world, group, visit, starts } = openGroup()
    world.onStart = () => Promise.reject(new Error('broken'))
    const refused = { message: 'the app does not start', retryAfterSeconds: 1 }
    await assert.rejects(visit(), refused)
    await assert.rejects(visit(), refused)
    assert.deepEqual([starts(), group.isWarm, world.warnings], [1, false, ['app does not start']])
    world.onStart = async () => {}
    group.reload()
    assert.equal(await visit(), '/app')
  })

  test('a new app process starts only after the previous one has ended', async () => {
    const { world, group, visit } = openGroup()
    await visit()
    const end = Promise.withResolvers<void>()
    world.onDispose = () => end.promise
    for (let crashes = 0; crashes < 3; crashes++) world.crash()
    await settle()
    group.reload()
    const next = visit()
    await settle()
    end.resolve()
    assert.equal(await next, '/app')
    assert.deepEqual(world.processEvents, ['start app', 'dispose', 'start app'])
  })

  test('after one or two crashes, an app process serves requests again and its workflows resume', async () => {
    const { world, group, visit } = openGroup()
    await visit()
    for (let crashes = 0; crashes < 2; crashes++) {
      world.crash()
      await settle()
    }
    assert.deepEqual([group.isWarm, group.generation], [true, 3])
    assert.deepEqual(world.events, ['start app', 'resume workflows', 'resume workflows', 'resume workflows'])
  })

  test("after an app's third crash within a minute, requests are refused for half a minute or until the next deploy", async () => {
    const { world, group, visit } = openGroup()
    await visit()
    for (let crashes = 0; crashes < 3; crashes++) {
      world.crash()
      await settle()
    }
    assert.equal(group.isWarm, false)
    await assert.rejects(visit(), {
      message: 'the app crashed several times in a minute',
      retryAfterSeconds: 30,
    })
    group.reload()
    assert.equal(await visit(), '/app')
  })

  describe('work while the process is stopped', () => {
    test('`runWhileStopped` runs its callback after the process has ended, and requests wait until the callback is done', async () => {
      const { world, group, visit } = openGroup()
      await visit()
      const work = Promise.withResolvers<string>()
      const result = group.runWhileStopped(() => {
        world.events.push('work')
        return work.promise
      })
      const waiting = visit()
      await settle()
      assert.deepEqual(world.events, ['start app', 'resume workflows', 'dispose', 'work'])
      work.resolve('done')
      assert.equal(await result, 'done')
      assert.equal(await waiting, '/app')
      assert.deepEqual(world.events.slice(4), ['start app', 'resume workflows'])
    })

    test('a restart that ends during a `runWhileStopped` callback releases waiting requests only after the callback', async () => {
      const { world, group, visit, starts } = openGroup()
      await visit()
      const [restart, work] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      world.onReload = () => restart.promise
      world.plan = planOf('next')
      group.reload()
      await settle()
      const result = group.runWhileStopped(() => work.promise)
      restart.resolve()
      await group.waitForRestart()
      const waiting = visit('next')
      await settle()
      assert.equal(starts(), 1)
      work.resolve()
      await result
      assert.equal(await waiting, '/next')
    })

    test('requests are served again after a `runWhileStopped` callback has failed', async () => {
      const { group, visit } = openGroup()
      await assert.rejects(
        group.runWhileStopped(() => Promise.reject(new Error('full disk'))),
        /full disk/,
      )
      assert.equal(await visit(), '/app')
    })

    test('a starting process completes its start and ends before the `runWhileStopped` callback runs', async () => {
      const { world, group, visit } = openGroup()
      const boot = Promise.withResolvers<void>()
      world.onStart = () => boot.promise
      const first = visit()
      await settle()
      const work = group.runWhileStopped(async () => void world.events.push('work'))
      boot.resolve()
      await Promise.allSettled([first, work])
      assert.deepEqual(world.processEvents, ['start app', 'dispose', 'work'])
    })
  })

  describe('closing a group', () => {
    test('closing an app group ends its process, and later requests and deploys start no new process', async () => {
      const { world, group, visit } = openGroup()
      await visit()
      await group.close(1000)
      await assert.rejects(visit(), { message: 'the local cloud is stopping' })
      group.reload()
      await group.waitForRestart()
      assert.deepEqual(world.events, ['start app', 'resume workflows', 'dispose'])
    })

    test('closing an app group ends a process that is still starting', async () => {
      const { world, group, visit } = openGroup()
      const boot = Promise.withResolvers<void>()
      world.onStart = () => boot.promise
      const first = visit()
      await settle()
      const closing = group.close(0)
      boot.resolve()
      await closing
      await first.catch(() => {})
      assert.deepEqual(world.processEvents, ['start app', 'dispose'])
      assert.equal(group.isWarm, false)
    })
  })

  test('at most a thousand requests wait for the restart of an app process, and further ones are refused immediately', async () => {
    const { world, group, visit, request } = openGroup()
    await request()
    world.plan = planOf('next')
    group.reload()
    const waiting = Array.from({ length: 1000 }, () => visit('next'))
    await assert.rejects(group.enter('next'), WaitRefusedError)
    group.leave()
    await Promise.all(waiting)
    await group.waitForRestart()
    assert.equal(group.isIdle, true)
  })
})
