import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { everythingFiles } from '../../testing/apps/everything-app.ts'
import { completeTree, starterTree } from '../source/tree.ts'
import { bundleAdmin, bundleApp, bundleLive, bundleUploads } from './bundle.ts'

/**
 * The limit of the admin worker. The worker has 9.6 kB without any `operator.ts`, and the twelve current `operator.ts` files add 3.1 kB.
 * A route that passes on the response of a Durable Object needs about 0.03 kB, a route that reads a bucket 0.13 kB. So a new
 * `operator.ts` with such routes fits, but code that does not belong in this worker exceeds the limit.
 */
const OPERATORS = CAPABILITY_KEYS.filter((key) =>
  existsSync(join(import.meta.dirname, `../../../runtime/${key}/operator.ts`)),
)
const ADMIN_BYTES_MAX = 12_000 + 275 * OPERATORS.length

const ALL = new Set<string>(CAPABILITY_KEYS)

/**
 * The limits of the worker with an app's Durable Objects, with the bytes that each capability may add, as decided in
 * docs/decisions/0116-a-capability-brings-its-own-room.md.
 */
const LIVE_BYTES_MAX = 118_400 + 400 * CAPABILITY_KEYS.length
const LIVE_START_BYTES_MAX = 71_900 + 100 * CAPABILITY_KEYS.length

/** Fails unless the size is between `least` and `most`. The lower bound detects a bundle from which code is missing. */
function requireSize(t: TestContext, part: string, bytes: number, least: number, most: number) {
  const kb = (size: number) => `${(size / 1000).toFixed(1)} kB`
  const figure = `${part}: ${kb(bytes)} of ${kb(most)}, compressed`
  t.diagnostic(figure)
  assert.ok(bytes >= least && bytes <= most, figure)
}

const requireWithin = (
  t: TestContext,
  part: string,
  text: string | Uint8Array,
  least: number,
  most: number,
): void => requireSize(t, part, gzipSync(text).length, least, most)

async function serverOf(files: ReadonlyMap<string, string>): Promise<string> {
  const result = await bundleApp(completeTree(files, ALL), { parts: ['server'], minify: true })
  assert.ok(result.ok, JSON.stringify(result))
  const { main, modules } = result.bundle.server
  return modules[main] ?? ''
}

/** Returns the modules that a worker loads before its first response: the main one and its static imports. */
function startOf({ main, modules }: Awaited<ReturnType<typeof bundleLive>>): string[] {
  const names = [main]
  for (const name of names)
    for (const [, imported = ''] of (modules[name] ?? '').matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g))
      if (!names.includes(imported)) names.push(imported)
  return names
}

const compressed = (texts: (string | undefined)[]): number =>
  texts.reduce((sum, text = '') => sum + gzipSync(text).length, 0)

test("the platform's workers stay within their size budgets", async (t) => {
  const budgets = [
    ['-live, at its start', bundleLive, 10_000, LIVE_START_BYTES_MAX],
    ['-admin', bundleAdmin, 500, ADMIN_BYTES_MAX],
    ['-assets', bundleUploads, 500, 4500],
  ] as const
  for (const [part, bundle, least, most] of budgets) {
    const worker = await bundle()
    const bytes = compressed(startOf(worker).map((name) => worker.modules[name]))
    requireSize(t, part, bytes, least, most)
  }
})

test("the worker that stores an app's data stays within its size budget and loads three modules only after its start", async (t) => {
  const live = await bundleLive()
  const start = startOf(live)
  requireSize(t, '-live, all modules', compressed(Object.values(live.modules)), 100_000, LIVE_BYTES_MAX)
  assert.equal(start.length, 2, 'the main module only exports what one other module contains')
  const source = start.map((name) => live.modules[name]).join('')
  const loaded = new Set([...source.matchAll(/\bimport\("\.\/([^"]+)"\)/g)].map(([, name]) => name))
  assert.equal(loaded.size, 3)
  for (const name of loaded) assert.ok(!start.includes(name ?? ''), `${name} is loaded at the start`)
})

test("the platform code in an app's worker is at most 40 kB when the app uses every capability", async (t) => {
  const none = starterTree('Empty')
  requireWithin(t, 'an app that uses nothing', await serverOf(none), 5000, 40_000)
  requireWithin(t, 'an app that uses everything', await serverOf(everythingFiles()), 5000, 40_000)
  const whole = new Map(none).set(
    'server/routes.ts',
    `import * as platform from '@slipway/app/server'\nimport { Hono } from 'hono'\nexport const routes = new Hono()
routes.get('/all', (c) => c.json(Object.values(platform).map(String)))\n`,
  )
  requireWithin(t, 'an app that uses every function there is', await serverOf(whole), 5000, 40_000)
})

test("the platform code in an app's pages is at most 15 kB without React", async (t) => {
  const files = new Map(everythingFiles()).set(
    'web/main.tsx',
    `import * as platform from '@slipway/app/client'\nObject.assign(globalThis, { platform })\n`,
  )
  const result = await bundleApp(completeTree(files, ALL), { parts: ['web'], minify: true })
  assert.ok(result.ok, JSON.stringify(result))
  const scripts = Object.entries(result.bundle.web).filter(([path]) => path.endsWith('.js'))
  const script = scripts.find(([path]) => path.startsWith('/assets/main-'))?.[1].bytes
  assert.ok(script)
  assert.ok(!Buffer.from(script).includes('react'), 'no React in it')
  requireWithin(t, '@slipway/app/client', script, 1500, 15_000)
  const calls = scripts.filter(([path]) => path.startsWith('/assets/chunk-')).map(([, { bytes }]) => bytes)
  requireWithin(t, 'calls, loaded when they begin', Buffer.concat(calls), 1500, 6000)
})

test('the pages of an app that has no audio or video calls are a single script', async () => {
  const tree = completeTree(starterTree('Plain'), new Set())
  const result = await bundleApp(tree, { parts: ['web'], minify: true })
  assert.ok(result.ok, JSON.stringify(result))
  assert.equal(Object.keys(result.bundle.web).filter((path) => path.endsWith('.js')).length, 1)
})
