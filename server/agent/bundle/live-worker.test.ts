import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { bundleLive } from './bundle.ts'
import { COMPATIBILITY } from '../source/locked-config.ts'
import { readManifest } from '../source/manifest.ts'
import { plantsTree } from '../testing/tree.ts'
import { compileApp } from '../source/typegen.ts'

/** A worker that does what it is told with its two bindings, as code could that got hold of them. */
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

const OPERATOR_ONLY = ['activate', 'collections', 'records', 'search', 'replace', 'remove', 'spend']
const OBJECT_ONLY = ['dirApply', 'dirActivate', 'dirSearch', 'dirSpend', 'readRows', 'flush', 'alarm']
const INNER = ['env', 'ctx', 'OBJECTS']

describe('the entry points of the live worker', () => {
  let miniflare: Miniflare
  const read = readManifest(plantsTree().get('app.json') ?? '')
  assert.ok(read.ok)
  const { hash, manifest } = compileApp(read.manifest)

  before(async () => {
    const live = await bundleLive(new Set(['data']))
    const worker = (name: string, main: string, modules: Record<string, string>, config: object) => ({
      config: {
        name,
        compatibilityDate: COMPATIBILITY.date,
        compatibilityFlags: [...COMPATIBILITY.flags],
        manifest: {
          mainModule: main,
          modulesRoot: '/',
          modules: Object.fromEntries(
            Object.entries(modules).map(([path, contents]) => [path, { type: 'esm' as const, contents }]),
          ),
        },
        ...config,
      },
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
            env: { PRODUCTION: door('Production'), PREVIEW: door('Preview') },
          },
        ),
        worker('live', live.main, live.modules, {
          env: { OBJECTS: { type: 'durable-object' as const, worker: 'live', exportName: 'AppObject' } },
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
  /** What `data` answers is the text of it. */
  const data = async (door: string, knownHash: string, actor: string, request: object): Promise<unknown> => {
    const { value } = await call(door, 'data', knownHash, actor, request)
    return JSON.parse(value as string)
  }
  const list = async (door: string) => {
    const answer = await data(door, hash, 'system', { kind: 'list', collection: 'plants', query: {} })
    return (answer as { value: { items: { name: string }[] } }).value.items.map(({ name }) => name)
  }

  test('what one tier writes is not visible in the other, in records, search or directory', async () => {
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

  test('a search returns only records that the rules of the collection allow', async () => {
    const audits = { kind: 'search', collection: 'audits', q: 'x' }
    const refused = await data('PREVIEW', hash, 'anonymous', audits)
    assert.equal((refused as { error: { code: string } }).error.code, 'forbidden')
    const unnamed = await data('PREVIEW', hash, 'anonymous', { ...audits, collection: 'attics' })
    assert.match((unnamed as { error: { message: string } }).error.message, /^No such collection: attics/)
    const unknown = await data('PREVIEW', 'another', 'anonymous', audits)
    assert.deepEqual(unknown, { ok: false, unprepared: true })
  })

  test('no operator method, object method or inherited method can be called through an entry point', async () => {
    for (const door of ['PRODUCTION', 'PREVIEW'])
      for (const method of [...OPERATOR_ONLY, ...OBJECT_ONLY, ...INNER]) {
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
