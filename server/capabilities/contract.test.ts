import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import * as z from 'zod'
import { type CloudApp, openCloudApp, until } from '../releases/testing.ts'
import { ENDPOINTS } from '../tables/endpoints.ts'
import type { Client } from '../testing/app.ts'
import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { capabilityOf } from '../capability-catalog/catalog.ts'
import { readAccount, withDependencies } from './testing.ts'
import { leaves } from '../testing/effects.ts'

/**
 * The capabilities that each capability requires with its default settings. Written by hand, so that a change of the
 * declarations fails the test.
 */
const DEPENDENCIES: Partial<Record<CapabilityKey, CapabilityKey[]>> = {
  team: ['auth'],
  files: ['auth'],
  pay: ['auth'],
  connect: ['auth'],
  push: ['auth'],
  meter: ['auth'],
  video: ['auth'],
  live: ['auth'],
  call: ['live'],
  hook: ['data'],
}

const PROJECT = { slug: 'plants' }

interface Read {
  enabled: boolean
  provision: { state: string; error: { code: string } | null }
  resource: { id: string; kind: string; name: string } | null
  settings: object
  [flag: string]: unknown
}

describe('the declarations of the capabilities', () => {
  test('every capability has a title, a description and a cost, and valid default settings', () => {
    for (const key of CAPABILITY_KEYS) {
      const declared = capabilityOf(key)
      assert.equal(declared.key, key)
      assert.ok(declared.title.length > 1, key)
      // The cost is in plain words, because the people who pay do not know the names of the provider's products.
      assert.match(declared.cost, /^(Little|By use|By payment)\. [A-Z].{10,}[^.]$/, key)
      assert.doesNotMatch(declared.cost, /Durable Object|R2|Queues|Workflows|Analytics Engine/, key)
      assert.match(declared.about, /^[A-Z].{15,}\.$/, key)
      assert.ok(declared.settings.safeParse({}).success, key)
    }
  })

  test("every setting of a capability has a title and a description for the console's form", () => {
    for (const key of CAPABILITY_KEYS) {
      const { properties = {} } = z.toJSONSchema(capabilityOf(key).settings, { io: 'input' })
      for (const [name, field] of Object.entries(properties)) {
        const { title, description } = field as { title?: string; description?: string }
        assert.ok(title && description, `${key}.${name}`)
      }
    }
  })

  test('the declared dependencies of each capability are exactly the expected ones', () => {
    for (const key of CAPABILITY_KEYS) {
      const declared = capabilityOf(key)
      assert.deepEqual(declared.dependsOn(declared.settings.parse({})), DEPENDENCIES[key] ?? [], key)
    }
    const { dependsOn, settings } = capabilityOf('live')
    assert.deepEqual(dependsOn(settings.parse({ allowAnonymous: true })), [])
  })

  test('no capability gives app code a secret or a Durable Object, and the binding LIVE has its own entry point in each tier', () => {
    for (const key of CAPABILITY_KEYS)
      for (const tier of ['production', 'preview'] as const)
        for (const binding of capabilityOf(key).bindings(PROJECT, tier)) {
          const types: string[] = [binding.type]
          assert.ok(!types.some((type) => /secret|durable_object/.test(type)), `${key} ${binding.name}`)
          if (binding.name !== 'LIVE') continue
          const door = tier === 'preview' ? 'Preview' : 'Production'
          assert.equal((binding as { entrypoint?: string }).entrypoint, door, key)
        }
  })

  test('no capability gives the live app and the preview a binding through which both could change the same data', () => {
    for (const key of CAPABILITY_KEYS) {
      const [production, preview] = (['production', 'preview'] as const).map((tier) =>
        capabilityOf(key)
          .bindings(PROJECT, tier)
          .map((binding) => JSON.stringify({ ...binding, name: '' })),
      )
      const shared = preview?.filter((target) => production?.includes(target)) ?? []
      // Both tiers may be bound to this entry point of the upload worker, because it can only read.
      const reading = JSON.stringify({
        type: 'service',
        name: '',
        service: 'plants-assets',
        entrypoint: 'Serve',
      })
      // Both tiers may be bound to the browser and the image service, because neither keeps state between calls.
      const stateless = ['browser', 'images'].map((type) => JSON.stringify({ type, name: '' }))
      assert.deepEqual(
        shared.filter((target) => target !== reading && !stateless.includes(target)),
        [],
        key,
      )
    }
  })

  test('every capability has a guide for the build agent of at most 2 kB', () => {
    const folder = new URL('../../docs/guides/capabilities/', import.meta.url)
    const guides = readdirSync(folder).map((name) => name.replace('.md', ''))
    assert.deepEqual(guides.toSorted(), CAPABILITY_KEYS.toSorted())
    for (const key of guides) assert.ok(statSync(new URL(`${key}.md`, folder)).size <= 2000, key)
  })
})

describe('every capability over the API', () => {
  let cloud: CloudApp
  let person: Client
  let path: string
  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Everything')
    person = made.person
    path = made.path
  })
  after(() => cloud.close())

  const read = async (key: string) => (await person.call<Read>(`GET ${path}/capabilities/${key}`)).data
  const put = (key: string, body: object) => person.call<Read>(`PUT ${path}/capabilities/${key}`, body)
  const settled = (key: string) => until(async () => (await read(key)).provision.state !== 'creating')
  /** Returns the project's resources according to the service's own registry. */
  const registered = async () => {
    const { data } = await person.call<{ managed: { id: string; kind: string; name: string }[] }>(
      `GET ${path}/deployments`,
    )
    return data.managed.map(({ id, kind, name }) => `${kind} ${name} ${id}`).toSorted()
  }

  /** The capabilities enabled so far. Disabling a capability keeps its resources, so this set only grows. */
  const switchedOn = new Set<CapabilityKey>()
  /** Every resource that the account may contain, in the format of `readAccount`. */
  const declaredNow = () => {
    const declared = [...switchedOn].flatMap((key) => capabilityOf(key).resources({ slug: 'everything' }))
    const words = declared.flatMap(({ kind, name }) =>
      kind === 'object_namespace' ? [`${kind} ${name} AppObject`, `worker ${name}`] : [`${kind} ${name}`],
    )
    return [...new Set(words)].toSorted()
  }

  test('all capabilities of a new project are off, with default settings and without secrets', async () => {
    for (const key of CAPABILITY_KEYS) {
      const declared = capabilityOf(key)
      const answer = await read(key)
      assert.deepEqual(
        [answer.enabled, answer.provision, answer.resource, answer.settings],
        [false, { state: 'idle', error: null }, null, declared.settings.parse({})],
        key,
      )
      const flags = Object.entries(answer).filter(([name]) => name.startsWith('has'))
      const secrets = Object.keys(declared.secrets(declared.settings.parse({})))
      assert.equal(flags.length, secrets.length, key)
      assert.ok(
        flags.every(([, value]) => value === false),
        key,
      )
    }
  })

  test('every operator route of a capability is a 404 not_enabled while the capability is off', async () => {
    const routes = ENDPOINTS.filter(({ path: route }) => /\/capabilities\/[a-z]+\//.test(route))
    assert.ok(routes.length >= 20)
    for (const { method, path: route } of routes) {
      const asked = route.replace('/projects/:projectId', path).replaceAll(/:\w+/g, 'app')
      const query = route.endsWith('/query') ? '?collection=plants&q=x' : '?key=k'
      const body =
        method === 'GET' || method === 'DELETE'
          ? undefined
          : { role: 'staff', prompt: 'x', as: 'pdf', url: '/', records: [{ id: 'rec_made_up', fields: {} }] }
      const answer = await person.call(`${method} ${asked}${query}`, body)
      assert.deepEqual([answer.status, answer.error?.code], [404, 'not_enabled'], `${method} ${route}`)
    }
  })

  for (const key of CAPABILITY_KEYS)
    test(`enabling, disabling and enabling ${key} again leaves each of its declared resources once and nothing else`, async () => {
      leaves({
        activity: {
          'ai_gateway.create': 'any',
          'bucket.create': 'any',
          'queue.create': 'any',
          'sfu_app.create': 'any',
          'turn_key.create': 'any',
          'widget.create': 'any',
          'worker.address': 'any',
          'worker.secrets': 'any',
          'worker.upload': 'any',
          'workflow.put': 'any',
        },
        jobs: { provision: 'any' },
      })
      const before = await registered()
      const on = await put(key, { enabled: true })
      assert.equal(on.data.provision?.state, 'creating', JSON.stringify(on.error))
      await settled(key)
      const first = await read(key)
      assert.deepEqual([first.enabled, first.provision], [true, { state: 'idle', error: null }])
      const declared = capabilityOf(key).resources({ slug: 'everything' })
      assert.deepEqual([first.resource?.kind, first.resource?.name], [declared[0]?.kind, declared[0]?.name])
      const made = await registered()
      for (const { kind, name } of declared)
        assert.ok(
          made.some((one) => one.startsWith(`${kind} ${name} `)),
          `${kind} ${name}`,
        )
      const needed = withDependencies(key)
      for (const one of needed) switchedOn.add(one)
      assert.deepEqual(await readAccount(cloud, person.organizationId), declaredNow())
      const enabled = (await person.call<Read[]>(`GET ${path}/capabilities`)).data.filter(
        (one) => one.enabled,
      )
      assert.equal(enabled.length, needed.length)
      await put(key, { enabled: true })
      await settled(key)
      assert.deepEqual(await registered(), made)
      assert.equal((await put(key, { enabled: false })).data.enabled, false)
      assert.deepEqual(await registered(), made)
      await put(key, { enabled: true })
      await settled(key)
      assert.equal((await read(key)).resource?.id, first.resource?.id)
      assert.deepEqual(await registered(), made)
      assert.deepEqual(await readAccount(cloud, person.organizationId), declaredNow())
      const reads = ENDPOINTS.filter(
        (one) => one.method === 'GET' && one.path.includes(`/capabilities/${key}/`),
      )
      for (const { path: route } of reads) {
        const asked = route.replace('/projects/:projectId', path).replaceAll(/:\w+/g, 'plants')
        const answer = await person.call(`GET ${asked}?collection=plants&q=x&key=k`)
        assert.equal(answer.error?.code, 'not_enabled', `on but not deployed: ${route}`)
      }
      for (const one of needed) await put(one, { enabled: false })
      assert.ok(made.length >= before.length)
    })
})
