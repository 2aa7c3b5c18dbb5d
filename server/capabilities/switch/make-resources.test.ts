import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { memoryAccount, refusedCall } from '../../cloudflare/testing.ts'
import type { Makers } from '../../resource-ports.ts'
import type { ProjectRef } from '../../resources/work.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { ResourceMaker } from './make-resources.ts'

const PRODUCT_PATHS: Partial<Record<CapabilityKey, string>> = {
  render: '/browser-rendering/',
  video: '/stream',
}

describe('making the resources of capabilities', () => {
  let app: TestApp
  let project: ProjectRef
  before(async () => {
    app = await testApp({ localWorld: false })
  })
  beforeEach(async () => {
    const person = await app.signUp()
    const { data } = await person.call<{ id: string; slug: string }>('POST /projects', { name: 'Plants' })
    app.effects.prepared({ events: { 'project.created': 1 } })
    const slug = `plants-${data.id.slice(-8)}`
    project = { id: data.id, org_id: person.organizationId, name: 'Plants', slug }
  })
  after(() => app.close())

  /**
   * An account without resources, in which `made` lists what is created, in order, and `deployed` the capabilities of each deployment of a
   * shared worker. `fail` throws for what cannot be created, and `refuse` for a product that the account does not have.
   */
  function openMaker({ bindings = [] as string[] } = {}) {
    const made: string[] = []
    const deployed: { worker: 'live' | 'admin'; keys: string[] }[] = []
    const hooks: {
      /** May return a promise that the creation waits for. */
      fail: (name: string) => unknown
      refuse: (key: CapabilityKey) => unknown
      foreign: string | null
    } = { fail: () => {}, refuse: () => {}, foreign: null }
    const make = async (name: string) => {
      await hooks.fail(name)
      made.push(name)
    }
    const memory = memoryAccount(async (call, request) => {
      for (const [key, path] of Object.entries(PRODUCT_PATHS))
        if (call.includes(path)) {
          await hooks.refuse(key as CapabilityKey)
          return []
        }
      if (call.endsWith('/r2/buckets')) {
        const { name } = (request as { json: { name: string } }).json
        await make(name)
        return { name }
      }
      if (call.endsWith('/settings')) return { bindings: bindings.map((name) => ({ type: 'x', name })) }
      if (hooks.foreign !== null && call.endsWith(`/r2/buckets/${hooks.foreign}`))
        return { name: hooks.foreign }
      if (/\/(widgets|queues|apps|turn_keys)$/.test(call)) return []
      throw refusedCall(404)
    })
    const makers: Makers = {
      ...app.platform.makers,
      widget: (_work, row) => make(row.name),
      queue: (_work, row) => make(row.name),
      workflow: (_work, row) => make(row.name),
      calls: (_work, row) => make(row.name),
      aiGateway: (_work, row) => make(row.name),
      uploads: () => make('upload worker'),
      live: async (_work, enabled) => {
        await make('live')
        deployed.push({ worker: 'live', keys: [...(enabled ?? [])].toSorted() })
      },
      admin: async (_work, enabled) => {
        const keys = await enabled
        await make('admin')
        deployed.push({ worker: 'admin', keys: [...(keys ?? [])].toSorted() })
      },
    }
    const maker = new ResourceMaker({
      platform: { ...app.platform, makers },
      project,
      actor: 'Ada',
      signal: new AbortController().signal,
      open: async () => memory.cloud,
    })
    const deployFor = (pending: CapabilityKey[], others: CapabilityKey[] = []) =>
      maker.deployFor({ enabled: new Set([...pending, ...others]), pending: new Set(pending) })
    const of = (worker: 'live' | 'admin') =>
      deployed.filter((one) => one.worker === worker).map(({ keys }) => keys)
    return { maker, hooks, made, deployFor, live: () => of('live'), admin: () => of('admin') }
  }
  const name = (ending: string) => `${project.slug}-${ending}`
  const rows = async () => {
    const found = await app.platform.db
      .selectFrom('resources')
      .select(['kind', 'name'])
      .where('project_id', '=', project.id)
      .execute()
    return found.map((row) => `${row.kind} ${row.name}`).toSorted()
  }

  test('capabilities that are provisioned together share one deployment of each worker, which serves all of them', async () => {
    const { maker, made, deployFor, live, admin } = openMaker()
    deployFor(['data', 'files', 'queue'])
    await Promise.all([maker.provide('data', 1), maker.provide('files', 1), maker.provide('queue', 1)])
    assert.deepEqual(live(), [['data', 'files', 'queue']])
    assert.deepEqual(admin(), [['files']])
    assert.equal(new Set(made).size, made.length, 'no resource was created twice')
    await Promise.all([maker.provide('data', 1), maker.provide('files', 1), maker.provide('queue', 1)])
    assert.equal(live().length + admin().length, 2)
  })

  test('a worker is deployed only after the resources that its bindings name, and a workflow only after the worker whose class it runs', async () => {
    const { maker, made, deployFor } = openMaker()
    deployFor(['guard', 'call', 'ai', 'files', 'flow'])
    await Promise.all((['files', 'flow', 'guard', 'call', 'ai'] as const).map((key) => maker.provide(key, 1)))
    const at = (one: string) => {
      assert.ok(made.includes(one), one)
      return made.indexOf(one)
    }
    for (const bound of [name('guard'), name('call'), name('ai')]) assert.ok(at(bound) < at('live'), bound)
    for (const bound of [name('files'), name('files-pv')]) assert.ok(at(bound) < at('admin'), bound)
    for (const later of [name('flow'), name('preview-flow'), 'admin'])
      assert.ok(at('live') < at(later), later)
    const alone = openMaker()
    alone.hooks.fail = (one) => (one === 'live' ? new Promise((resolve) => setImmediate(resolve)) : undefined)
    alone.deployFor(['data'])
    await alone.maker.provide('data', 1)
    assert.deepEqual(alone.made, ['live', 'admin'])
  })

  test('the bucket for uploads is created before the upload worker, and only once', async () => {
    const { maker, made, deployFor } = openMaker()
    deployFor(['assets'])
    await maker.provide('assets', 1)
    assert.deepEqual(made, [name('assets'), 'upload worker'])
  })

  test('provisioning a capability waits for all its resources even after one has failed, and throws that failure', async () => {
    const { maker, hooks, made, deployFor } = openMaker()
    const [held, isHeld, hasFailed] = [0, 1, 2].map(() => Promise.withResolvers<void>())
    const failure = refusedCall(503)
    hooks.fail = (one) => {
      if (one === name('preview-jobs')) {
        isHeld?.resolve()
        return held?.promise
      }
      if (one !== name('jobs')) return undefined
      hasFailed?.resolve()
      throw failure
    }
    deployFor(['queue'])
    let isSettled = false
    const outcome = Promise.allSettled([maker.provide('queue', 1)]).finally(() => {
      isSettled = true
    })
    await Promise.all([isHeld?.promise, hasFailed?.promise])
    // A rejection needs no input or output to get from the resource to the caller, so it would have arrived by now.
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(isSettled, false)
    held?.resolve()
    assert.deepEqual(await outcome, [{ status: 'rejected', reason: failure }])
    assert.ok(made.includes(name('preview-jobs')))
  })

  test('the attempt after a failed provisioning creates the resource that failed, and no resource twice', async () => {
    const { maker, hooks, made, deployFor } = openMaker()
    hooks.fail = (one) => {
      if (one === name('jobs')) throw refusedCall(503)
    }
    deployFor(['queue'])
    await assert.rejects(maker.provide('queue', 1))
    hooks.fail = () => {}
    await maker.provide('queue', 1)
    assert.equal(made.filter((one) => one === name('jobs')).length, 1)
    assert.equal(new Set(made).size, made.length)
  })

  test("a worker deployed without a failed capability is deployed again with it once the capability's resource exists", async () => {
    const { maker, hooks, deployFor, live, admin } = openMaker()
    hooks.fail = (one) => {
      if (one === name('files')) throw refusedCall(429)
    }
    deployFor(['files', 'data'])
    const [files, data] = await Promise.allSettled([maker.provide('files', 1), maker.provide('data', 1)])
    assert.deepEqual([files.status, data.status], ['rejected', 'fulfilled'])
    assert.deepEqual([live(), admin()], [[['data', 'files']], [[]]])
    hooks.fail = () => {}
    await maker.provide('files', 1)
    assert.deepEqual([live().length, admin()], [1, [[], ['files']]])
  })

  test('the live worker is deployed although a Turnstile widget cannot be created, and again once the widget exists', async () => {
    const { maker, hooks, deployFor, live } = openMaker()
    hooks.fail = (one) => {
      if (one === name('guard')) throw refusedCall(503)
    }
    deployFor(['guard', 'data'])
    const [guard, data] = await Promise.allSettled([maker.provide('guard', 1), maker.provide('data', 1)])
    assert.deepEqual([guard.status, data.status, live().length], ['rejected', 'fulfilled', 1])
    hooks.fail = () => {}
    await maker.provide('guard', 1)
    assert.equal(live().length, 2)
  })

  test('capabilities that are enabled during a deployment get a deployment of their own after it', async () => {
    const { maker, hooks, deployFor, live } = openMaker()
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    hooks.fail = (one) => {
      if (one !== 'live') return
      begun.resolve()
      return held.promise
    }
    deployFor(['data'])
    const first = maker.provide('data', 1)
    await begun.promise
    deployFor(['data', 'queue'])
    const second = maker.provide('queue', 1)
    held.resolve()
    await Promise.all([first, second])
    assert.deepEqual(live(), [['data'], ['data', 'queue']])
  })

  test('resources begun in advance with outdated settings are created again, and those begun with current settings are not', async () => {
    for (const [generation, times] of [
      [1, 1],
      [2, 2],
    ] as const) {
      const { maker, made, deployFor } = openMaker()
      maker.begin('guard', 1)
      maker.begin('guard', 1)
      await maker.ended()
      deployFor(['guard'])
      await maker.provide('guard', generation)
      assert.equal(made.filter((one) => one === name('guard')).length, times)
    }
  })

  test('when creating resources in advance fails, provisioning their capability throws the failure or creates them again', async () => {
    const { maker, hooks, made, deployFor } = openMaker()
    let failures = 2
    hooks.fail = (one) => {
      if (one === name('guard') && failures-- > 0) throw refusedCall(503)
    }
    maker.begin('guard', 1)
    await maker.ended()
    deployFor(['guard'])
    await assert.rejects(maker.provide('guard', 1), { status: 503 })
    await maker.provide('guard', 1)
    assert.ok(made.includes(name('guard')))
  })

  test('a bucket of the needed name that belongs to another owner is not taken over, and its capability fails with `name_taken`', async () => {
    const { maker, hooks, made, deployFor } = openMaker()
    hooks.foreign = name('files')
    deployFor(['files'])
    await assert.rejects(maker.provide('files', 1), { fault: 'name_taken' })
    assert.ok(!made.includes(name('files')))
    assert.ok(!(await rows()).includes(`bucket ${name('files')}`))
  })

  test('for a project that is being deleted, provisioning creates nothing in the cloud account', async () => {
    const { maker, made, deployFor } = openMaker()
    const { db, clock } = app.platform
    await db.updateTable('projects').set({ deleting_at: clock.now() }).where('id', '=', project.id).execute()
    deployFor(['queue'])
    await assert.rejects(maker.provide('queue', 1))
    assert.deepEqual([made.filter((one) => one !== 'live'), await rows()], [[], []])
  })

  test('a product that the cloud account refuses is bound to neither the live nor the admin worker, and its capability fails', async () => {
    for (const status of [403, 503]) {
      const { maker, hooks, deployFor, live, admin } = openMaker()
      const refusal = refusedCall(status)
      hooks.refuse = () => {
        throw refusal
      }
      deployFor(['video', 'render', 'data'])
      const keys = ['video', 'render', 'data'] as const
      const outcomes = await Promise.allSettled(keys.map((key) => maker.provide(key, 1)))
      assert.deepEqual(
        outcomes.map((one) => (one.status === 'rejected' ? one.reason === refusal : one.status)),
        [true, true, 'fulfilled'],
        String(status),
      )
      assert.deepEqual([live(), admin()], [[['data', 'render']], [[]]], String(status))
    }
  })

  test("a worker keeps a product's binding while the account does not respond about the product, and loses it on a refusal", async () => {
    for (const [status, kept] of [
      [503, ['data', 'video']],
      [403, ['data']],
    ] as const) {
      const { maker, hooks, deployFor, live } = openMaker({ bindings: ['STREAM'] })
      hooks.refuse = () => {
        throw refusedCall(status)
      }
      deployFor(['data'], ['video'])
      await maker.provide('data', 1)
      deployFor(['data', 'video'])
      await assert.rejects(maker.provide('video', 2))
      assert.deepEqual(live(), [kept, kept], String(status))
    }
  })

  test("while the account does not respond about a product, a missing worker is deployed with the product's binding", async () => {
    const { maker, hooks, deployFor, live } = openMaker({ bindings: [] })
    hooks.refuse = () => {
      throw refusedCall(503)
    }
    deployFor(['data'], ['video'])
    await maker.provide('data', 1)
    assert.deepEqual(live(), [['data', 'video']])
  })

  test("while the account does not respond about a product, the admin worker is not deployed without the product's binding", async () => {
    const { maker, hooks, deployFor, admin } = openMaker()
    hooks.refuse = () => {
      throw refusedCall(503)
    }
    deployFor(['data'], ['render'])
    await assert.rejects(maker.provide('data', 1), { status: 503 })
    assert.deepEqual(admin(), [])
    hooks.refuse = () => {}
    await maker.provide('data', 1)
    assert.deepEqual(admin(), [['render']])
  })
})
