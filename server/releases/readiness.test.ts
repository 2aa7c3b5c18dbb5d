import assert from 'node:assert/strict'
import { after, afterEach, before, describe, mock, test } from 'node:test'
import { joinReason } from '../capability-declaration/capability.ts'
import {
  bodyResponse,
  closeProviders,
  memoryAccount,
  refusedCall,
  startProvider,
} from '../cloudflare/testing.ts'
import { conflict } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import type { RegisteredResource } from '../resources/kinds/kind.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { storeCloudAccount } from '../testing/cloud-account.ts'
import { readReadiness } from './readiness.ts'

const SLUG = 'plants'
const LATE = 'The cloud account did not respond in time.'
const isCallOf = (call: string, path: string) => call.startsWith(`GET /accounts/:account/${path}`)

describe('the readiness check of an app', () => {
  let app: TestApp
  before(async () => {
    app = await testApp({ localWorld: false })
  })
  afterEach(() => mock.restoreAll())
  after(async () => {
    await app.close()
    await closeProviders()
  })

  type Kind = RegisteredResource['kind']
  type State = 'creating' | 'idle' | 'error'

  /** A project with these capabilities and resources, in an account that has all the resources. `respond` replaces its responses. */
  async function projectWith(
    states: Record<string, State>,
    resources: { kind: Kind; name: string; tier?: RegisteredResource['tier']; id?: string }[] = [],
    respond: (call: string) => unknown = () => undefined,
  ) {
    const person = await app.signUp()
    await storeCloudAccount(app, person.organizationId)
    const { data } = await person.call<{ id: string }>('POST /projects', { name: 'Plants' })
    app.effects.prepared({ events: { 'project.created': 1 } })
    const project = { id: data.id, org_id: person.organizationId, name: 'Plants', slug: SLUG }
    const { db, clock } = app.platform
    for (const [key, state] of Object.entries(states))
      await db
        .insertInto('capabilities')
        .values({
          project_id: project.id,
          key,
          enabled: true,
          settings: JSON.stringify({}),
          state,
          error: state === 'error' ? joinReason({ code: 'ceiling', message: 'The account is full.' }) : null,
          generation: 1,
          deployed_at: null,
          created_at: clock.now(),
        })
        .execute()
    for (const { kind, name, tier = 'shared', id = null } of resources)
      await db
        .insertInto('resources')
        .values({
          id: newId('res'),
          org_id: project.org_id,
          project_id: project.id,
          // A name is unique in an account, and the tests of this file share one database.
          account_id: project.id,
          capability: null,
          tier,
          kind,
          name,
          provider_id: id,
          state: 'ok',
          version_id: null,
          detail: null,
          updated_at: clock.now(),
          created_at: clock.now(),
        })
        .execute()
    const memory = memoryAccount(async (call) => {
      const replaced = await respond(call)
      if (replaced !== undefined) return replaced
      if (call.endsWith('/deployments')) return { deployments: [] }
      if (call.endsWith('/subdomain')) return { enabled: true }
      if (isCallOf(call, 'queues')) return resources.map(({ name }) => ({ queue_id: name, queue_name: name }))
      if (isCallOf(call, 'challenges/widgets'))
        return resources.map(({ name }) => ({ sitekey: name, name, domains: [], mode: 'managed' }))
      throw refusedCall(404)
    })
    const objects = { isUp: true }
    const down = { ok: false, error: { code: 'internal', message: 'They are down.' } }
    const { options } = await startProvider((request, response) =>
      bodyResponse(objects.isUp ? { ok: true, data: [] } : down)(request, response),
    )
    const { accounts } = app.platform
    const platform = {
      ...app.platform,
      accounts: {
        ...accounts,
        openCloud: async () => ({ ...memory.cloud, accountId: project.id }),
        requireCloud: async () => ({
          id: 'con',
          account_id: project.id,
          subdomain: 'demo',
          endpoints: { ...app.config.cloudflare, appUrl: () => options.api },
          credential: () => options.credential,
        }),
      },
    }
    return { platform, objects, read: () => readReadiness(platform, project, 'Ada') }
  }
  const timeOut = () => {
    const timeout = new AbortController()
    mock.method(AbortSignal, 'timeout', () => timeout.signal)
    return () => {
      timeout.abort(new DOMException('Timed out', 'TimeoutError'))
      timeout.signal.throwIfAborted()
    }
  }
  const WIDGET = { kind: 'widget', name: `${SLUG}-guard` } as const
  const QUEUE = { kind: 'queue', name: `${SLUG}-jobs` } as const
  const ADMIN = { kind: 'worker', name: `${SLUG}-admin` } as const
  const LIVE = { kind: 'object_namespace', name: `${SLUG}-live` } as const

  test('the readiness check lists a capability in setup as warming and one whose setup failed as failed, and inspects neither', async () => {
    const one = await projectWith({ guard: 'creating', queue: 'error' }, [WIDGET, QUEUE], () => {
      throw refusedCall(503)
    })
    assert.deepEqual(await one.read(), {
      ready: false,
      warming: ['guard'],
      failed: [{ key: 'queue', reason: 'The account is full.' }],
      missing: [],
    })
  })

  test('in the readiness check a failed look-up of a resource fails only its capability, and all others are still inspected', async () => {
    const one = await projectWith({ guard: 'idle', queue: 'idle' }, [WIDGET, QUEUE], (call) => {
      if (isCallOf(call, 'challenges/widgets')) throw refusedCall(503)
      if (isCallOf(call, 'queues')) return []
    })
    const { ready, failed } = await one.read()
    assert.equal(ready, false)
    assert.deepEqual(failed, [
      { key: 'queue', reason: `${QUEUE.name} is missing in the cloud account.` },
      { key: 'guard', reason: refusedCall(503).message },
    ])
  })

  test('in the readiness check a resource that was replaced by another one of its name fails its capability', async () => {
    const replaced = { ...QUEUE, id: 'before' }
    const one = await projectWith({ guard: 'idle', queue: 'idle' }, [WIDGET, replaced])
    const { ready, failed } = await one.read()
    assert.equal(ready, false)
    assert.deepEqual(failed, [
      { key: 'queue', reason: `${QUEUE.name} was replaced in the cloud account. Reconcile the project.` },
    ])
  })

  test('in the readiness check a missing resource of production is a failure of the app, and one of the preview is not', async () => {
    const production = { kind: 'queue', name: 'a', tier: 'production' } as const
    const preview = { kind: 'queue', name: 'b', tier: 'preview' } as const
    const one = await projectWith({}, [production, preview], (call) =>
      isCallOf(call, 'queues') ? [] : undefined,
    )
    assert.deepEqual((await one.read()).failed, [
      { key: 'app', reason: 'a is missing in the cloud account.' },
    ])
  })

  test('an account that does not respond in time is the reason the readiness check gives for each capability, or for the app', async () => {
    for (const [states, keys] of [
      [{ guard: 'idle', queue: 'idle' }, ['queue', 'guard']],
      [{}, ['app']],
    ] as const) {
      const one = await projectWith(states, [WIDGET], timeOut())
      const { ready, failed } = await one.read()
      assert.equal(ready, false)
      assert.deepEqual(
        failed.toSorted((a, b) => a.key.localeCompare(b.key)),
        keys.toSorted().map((key) => ({ key, reason: LATE })),
      )
      mock.restoreAll()
    }
  })

  test('the readiness check reports an account that has to be connected again as a reason and does not throw', async () => {
    const one = await projectWith({ guard: 'idle' })
    one.platform.accounts.openCloud = () => Promise.reject(conflict('Connect it again.'))
    assert.deepEqual((await one.read()).failed, [{ key: 'guard', reason: 'Connect it again.' }])
  })

  test('an internal error during the readiness check is thrown and not reported as a failure of the app', async () => {
    const one = await projectWith({ guard: 'idle' }, [WIDGET], () => {
      throw new TypeError('a fault of ours')
    })
    await assert.rejects(one.read, TypeError)
  })

  test('Durable Objects that do not respond fail each capability that stores data in them once, even if its resource is missing', async () => {
    const widgets: { isThere: boolean } = { isThere: true }
    const one = await projectWith({ data: 'idle', guard: 'idle' }, [WIDGET, ADMIN, LIVE], (call) => {
      if (call.endsWith('/durable_objects/namespaces'))
        return [{ id: 'ns', name: 'ns', script: LIVE.name, class: 'AppObject' }]
      if (isCallOf(call, 'challenges/widgets') && !widgets.isThere) return []
    })
    assert.deepEqual(await one.read(), { ready: true, warming: [], failed: [], missing: [] })
    one.objects.isUp = false
    const down = 'The deployed app refused its operator: They are down.'
    assert.deepEqual((await one.read()).failed, [
      { key: 'data', reason: down },
      { key: 'guard', reason: down },
    ])
    widgets.isThere = false
    assert.deepEqual((await one.read()).failed, [
      { key: 'data', reason: down },
      { key: 'guard', reason: `${WIDGET.name} is missing in the cloud account.` },
    ])
  })
})
