import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { bundleLive } from './bundle.ts'
import { WORKER_COMPATIBILITY } from '../source/locked-config.ts'
import { readManifest } from '../source/manifest.ts'
import { plantsTree } from '../testing/tree.ts'
import { compileApp } from '../source/typegen.ts'

/** A worker that calls any method of any entrypoint of the live worker, as malicious code in an app could try. */
const PROBE = `export default {
  async fetch(request, env) {
    const [door, method, ...args] = await request.json()
    try {
      return Response.json({ value: (await env[door][method](...args)) ?? null })
    } catch (error) {
      return Response.json({ error: String(error) })
    }
  },
}`

/**
 * Lists the methods, including inherited ones, of each class that the live worker exports. The live worker has the Durable Objects that
 * contain the records.
 */
const LISTER = (main: string) => `import * as live from './${main}'
import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers'

export default {
  fetch() {
    const ends = [DurableObject.prototype, WorkerEntrypoint.prototype]
    const methodsOf = ([name, { prototype }]) => {
      const names = new Set()
      for (let at = prototype; at && at !== Object.prototype && !ends.includes(at); at = Object.getPrototypeOf(at))
        for (const one of Object.getOwnPropertyNames(at)) names.add(one)
      names.delete('constructor')
      return [name, [...names].sort()]
    }
    const classes = Object.entries(live).filter(([, value]) => typeof value === 'function')
    return Response.json(Object.fromEntries(classes.map(methodsOf)))
  },
}`

const INNER = ['env', 'ctx', 'OBJECTS']

describe('the entry points of the live worker', () => {
  let miniflare: Miniflare
  const read = readManifest(plantsTree().get('app.json') ?? '')
  assert.ok(read.ok)
  const { hash, manifest } = compileApp(read.manifest)

  before(async () => {
    const live = await bundleLive()
    const worker = (name: string, main: string, modules: Record<string, string>, config: object) => ({
      config: {
        name,
        compatibilityDate: WORKER_COMPATIBILITY.date,
        compatibilityFlags: [...WORKER_COMPATIBILITY.flags],
        manifest: {
          mainModule: main,
          modulesRoot: '/',
          modules: Object.fromEntries(
            Object.entries(modules).map(([path, contents]) => [path, { type: 'esm' as const, contents }]),
          ),
        },
        ...config,
      },
      dev: { unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] },
    })
    const door = (exportName: string) => ({ type: 'worker' as const, worker: 'live', exportName })
    miniflare = new Miniflare({
      host: '127.0.0.1',
      port: 0,
      cf: false,
      enableDevRegistry: false,
      logRequests: false,
      telemetry: { enabled: false },
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: () => {},
      workers: [
        worker(
          'probe',
          'probe.js',
          { 'probe.js': PROBE },
          {
            env: {
              PRODUCTION: door('Production'),
              PREVIEW: door('Preview'),
              OPERATOR: door('Operator'),
            },
          },
        ),
        worker('lister', 'lister.js', { 'lister.js': LISTER(live.main), ...live.modules }, {}),
        worker('live', live.main, live.modules, {
          env: {
            OBJECTS: { type: 'durable-object' as const, worker: 'live', exportName: 'AppObject' },
            METER_LIMITS: { type: 'text' as const, value: '{"prints":2}' },
          },
          exports: { AppObject: { type: 'durable-object' as const, storage: 'sqlite' as const } },
        }),
      ],
    })
    await miniflare.ready
  })
  after(() => miniflare.dispose())

  async function call(...call: unknown[]): Promise<{ value?: unknown; error?: string }> {
    const answer = await fetch(await miniflare.ready, { method: 'POST', body: JSON.stringify(call) })
    return (await answer.json()) as { value?: unknown; error?: string }
  }
  /** Calls the method `data` of an entrypoint and parses its result, which is JSON text. */
  const data = async (door: string, knownHash: string, actor: string, request: object): Promise<unknown> => {
    const { value } = await call(door, 'data', knownHash, actor, request)
    return JSON.parse(value as string)
  }
  const list = async (door: string) => {
    const answer = await data(door, hash, 'system', { kind: 'list', collection: 'plants', query: {} })
    return (answer as { value: { items: { name: string }[] } }).value.items.map(({ name }) => name)
  }

  test('a record created in the preview of an app is neither listed nor found by search in the live app', async () => {
    for (const door of ['PREVIEW', 'PRODUCTION']) await call(door, 'prepare', hash, manifest)
    const ops = [{ op: 'create', collection: 'plants', fields: { name: 'Preview fern' } }]
    const made = await data('PREVIEW', hash, 'anonymous', { kind: 'mutate', mutationId: 'mutation-1', ops })
    assert.equal((made as { ok: boolean }).ok, true, JSON.stringify(made))
    assert.deepEqual([await list('PREVIEW'), await list('PRODUCTION')], [['Preview fern'], []])
    const search = (door: string) =>
      data(door, hash, 'anonymous', { kind: 'search', collection: 'plants', q: 'fern' })
    const found = async (door: string) => ((await search(door)) as { value: object[] }).value.length
    for (let tries = 0; (await found('PREVIEW')) === 0; tries++) {
      assert.ok(tries < 100, 'never found')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    assert.equal(await found('PRODUCTION'), 0)
  })

  test('a search in a collection that the caller may not read is refused', async () => {
    const audits = { kind: 'search', collection: 'audits', q: 'x' }
    const refused = await data('PREVIEW', hash, 'anonymous', audits)
    assert.equal((refused as { error: { code: string } }).error.code, 'forbidden')
    const unnamed = await data('PREVIEW', hash, 'anonymous', { ...audits, collection: 'attics' })
    assert.match((unnamed as { error: { message: string } }).error.message, /^No such collection: attics/)
    const unknown = await data('PREVIEW', 'another', 'anonymous', audits)
    assert.deepEqual(unknown, { ok: false, unprepared: true })
  })

  test('usage counted in the live app does not count in the preview, and a move copies it with its idempotency keys', async () => {
    const meters = ['mails', 'prints'].map((key) => ({ key, per: 'app', window: 'lifetime', limit: 10 }))
    const release = { hash: 'metered', manifest: { ...manifest, meters } }
    const spend = (door: string, key: string, n: number, id: string | null = null) =>
      call(door, 'meter', 'metered', 'consume', { key, subject: 'app', n, id })
    assert.deepEqual((await spend('PRODUCTION', 'mails', 1)).value, { ok: false, unprepared: true })
    for (const tier of ['production', 'preview'])
      await call('OPERATOR', 'activate', tier, release.hash, release.manifest)
    const first = (await spend('PRODUCTION', 'mails', 4, 'mail 1')).value
    assert.deepEqual(first, { ok: true, value: { ok: true, remaining: 6, resetsAt: null } })
    await spend('PRODUCTION', 'prints', 1)
    const left = async (door: string, key: string) => {
      const { value } = await call(door, 'meter', 'metered', 'peek', { key, subject: 'app', n: 1 })
      return (value as { value: { remaining: number } }).value.remaining
    }
    assert.deepEqual([await left('PREVIEW', 'mails'), await left('PREVIEW', 'prints')], [10, 2])

    await call('OPERATOR', 'hold', 'production', true)
    assert.match(JSON.stringify(await spend('PRODUCTION', 'mails', 1)), /is being moved/)
    assert.equal(await left('PRODUCTION', 'mails'), 6)
    const { value } = await call('OPERATOR', 'contents', 'production')
    const [app] = (value as { value: { partitions: { name: string; head: object }[] } }).value.partitions
    await call('OPERATOR', 'takeHead', 'preview', 'app', app?.head, release)
    await call('OPERATOR', 'hold', 'production', false)
    assert.deepEqual([await left('PREVIEW', 'mails'), await left('PREVIEW', 'prints')], [6, 1])
    assert.deepEqual((await spend('PREVIEW', 'mails', 4, 'mail 1')).value, first, 'spent once')
    assert.match(JSON.stringify(await spend('PREVIEW', 'prints', 1, 'mail 1')), /another spend/)
    const usage = async () => {
      const { value } = await call('OPERATOR', 'meterUsage', 'preview')
      return (value as { value: { limits: { key: string; limit: number; spent: number }[] } }).value.limits
    }
    for (let tries = 0; (await usage())[0]?.spent !== 4; tries++) {
      assert.ok(tries < 100, 'the directory never learns of it')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    assert.deepEqual(
      (await usage()).map(({ key, limit, spent }) => [key, limit, spent]),
      [
        ['mails', 10, 4],
        ['prints', 2, 1],
      ],
    )
  })

  test("an app's service bindings reach no own or inherited method of the operator's entrypoint or of Durable Objects", async () => {
    const lister = await miniflare.unsafeGetDirectURL('lister')
    const methods = (await (await fetch(lister)).json()) as Record<string, string[]>
    const { Operator = [], AppObject = [], Production = [], Preview = [] } = methods
    assert.deepEqual(Object.keys(methods).sort(), [
      'AppFlow',
      'AppObject',
      'Operator',
      'Preview',
      'Production',
    ])
    // Without this check of known names, two empty lists would pass the checks below.
    for (const known of ['erase', 'setRole', 'outbox', 'wipe']) assert.ok(Operator.includes(known), known)
    for (const known of ['dirApply', 'alarm', 'account', 'users']) assert.ok(AppObject.includes(known), known)
    assert.ok(Operator.length >= 25 && AppObject.length >= 40)
    assert.deepEqual(Production, Preview)
    // `Production` and `Preview` also have a method `files`, which returns only the files of the entrypoint's tier.
    assert.deepEqual(
      Operator.filter((name) => Production.includes(name)),
      ['files'],
    )
    const others = [...Operator, ...AppObject].filter((name) => !Production.includes(name))
    for (const door of ['PRODUCTION', 'PREVIEW'])
      for (const method of [...others, ...INNER]) {
        const { value, error } = await call(door, method, 'production', 'plants', 1)
        assert.equal(value, undefined, `${door}.${method} answered ${JSON.stringify(value)}`)
        assert.match(
          error ?? '',
          /does not implement|not a function|could not be|No such|cannot/i,
          `${door}.${method}`,
        )
      }
  })
})
