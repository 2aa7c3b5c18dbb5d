import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { Hono } from 'hono'
import { recordErrors } from '../../data/partition/objects.test.fixture.ts'
import { ApiError } from '../../kernel/errors.ts'
import { enableCapabilities, importInWorkerd, workerEnv } from '../../kernel/objects/workerd.test.fixture.ts'
import { manifest, manifestHash } from '../../manifest.gen.ts'

const ORIGIN = 'https://shop.example.com'
const PAGE =
  '<html><head><meta property="og:image" content="/card.png" /><title>$& shop</title></head></html>'
const FOREVER = 'public, max-age=31536000, immutable'

const importApp = () => importInWorkerd(() => import('./app.ts'))

/** Fakes the binding to an app's files. Like Cloudflare, returns the page for an unknown path. */
class Files {
  readonly files = new Map<string, { type: string; text: string }>()
  isDown = false

  fetch = async (request: Request): Promise<Response> => {
    if (this.isDown) throw new Error('The files cannot be reached.')
    const { pathname } = new URL(request.url)
    const { type, text } = this.files.get(pathname) ?? { type: 'text/html; charset=utf-8', text: PAGE }
    const headers = { 'content-type': type, etag: '"e1"', 'content-length': String(text.length) }
    if (request.headers.get('if-none-match') === '"e1"') return new Response(null, { status: 304, headers })
    return new Response(request.method === 'HEAD' ? null : text, { headers })
  }
}

describe('the worker of an app', () => {
  let createApp: Awaited<ReturnType<typeof importApp>>['createApp']
  let files: Files
  let logged: { message: string; route: string }[]
  before(async () => {
    createApp = (await importApp()).createApp
  })
  beforeEach(() => {
    mock.restoreAll()
    logged = recordErrors()
    files = new Files()
    workerEnv['ASSETS'] = files
    delete workerEnv['APP_TIER']
    enableCapabilities()
  })
  after(() => {
    mock.restoreAll()
    enableCapabilities()
    for (const name of ['ASSETS', 'APP_TIER', 'APP_STANDALONE', 'LIVE']) delete workerEnv[name]
    delete manifest.schedules
  })

  const ask = (path: string, init: RequestInit = {}, routes: object = {}) =>
    createApp(routes).fetch(new Request(`${ORIGIN}${path}`, init))
  const errorOf = async (asked: Promise<Response>) => {
    const response = await asked
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    return [response.status, error.code, error.message]
  }
  const MISSING = [404, 'not_found', 'No such address.']

  test('a relative og:image address in a page gets the origin of the request', async () => {
    const response = await ask('/rooms')
    assert.equal(
      await response.text(),
      PAGE.replace('/card.png', () => `${ORIGIN}/card.png`),
    )
    assert.deepEqual(
      ['etag', 'content-length'].map((name) => response.headers.get(name)),
      ['"e1"', null],
    )
  })

  test('an og:image address that already has an origin is not changed', async () => {
    const page = PAGE.replace('/card.png', 'https://cdn.example.com/card.png')
    files.files.set('/', { type: 'text/html', text: page })
    assert.equal(await (await ask('/')).text(), page)
  })

  test('a page that the browser already has gets a 304 response, in the live app and in its preview', async () => {
    for (const tier of ['production', 'preview']) {
      workerEnv['APP_TIER'] = tier
      const response = await ask('/', { headers: { 'if-none-match': '"e1"' } })
      assert.deepEqual([response.status, await response.text(), logged], [304, '', []], tier)
    }
  })

  test('a HEAD request for a page gets no body, neither in the live app nor in the preview', async () => {
    for (const tier of ['production', 'preview']) {
      workerEnv['APP_TIER'] = tier
      const response = await ask('/', { method: 'HEAD' })
      assert.deepEqual([response.status, response.body], [200, null], tier)
    }
  })

  test('only a file that exists and has the hash of its content in its name may be cached forever', async () => {
    const script = { type: 'text/javascript', text: 'let a' }
    for (const path of ['/assets/main-0123456789.js', '/assets/main.js', '/icon.svg'])
      files.files.set(path, script)
    const cached = async (path: string) => (await ask(path)).headers.get('cache-control')
    assert.deepEqual(
      [
        await cached('/assets/main-0123456789.js'),
        await cached('/assets/main.js'),
        await cached('/icon.svg'),
        await cached('/assets/main-ffffffffff.js'),
        await cached('/'),
      ],
      [FOREVER, null, null, null, null],
    )
    const known = { headers: { 'if-none-match': '"e1"' } }
    const { status, headers } = await ask('/assets/main-0123456789.js', known)
    assert.deepEqual([status, headers.get('cache-control')], [304, null])
  })

  test('every response of an app, including an error, has the headers nosniff and same-origin referrer', async () => {
    for (const path of ['/', '/icon.svg', '/_app/health', '/_app/nothing', '/api/nothing']) {
      const { headers } = await ask(path)
      assert.deepEqual(
        [headers.get('x-content-type-options'), headers.get('referrer-policy')],
        ['nosniff', 'same-origin'],
        path,
      )
    }
  })

  test('an address without a route returns not_found, and so does every page of an app without files', async () => {
    for (const path of ['/_app/nothing', '/_app', '/_app/', '/api/nothing', '/api'])
      assert.deepEqual(await errorOf(ask(path)), MISSING, path)
    delete workerEnv['ASSETS']
    assert.deepEqual(await errorOf(ask('/')), MISSING)
  })

  test('the script of the error reporter is served only by the preview of an app', async () => {
    assert.equal((await ask('/_app/preview.js')).status, 404)
    workerEnv['APP_TIER'] = 'preview'
    const response = await ask('/_app/preview.js')
    assert.deepEqual([response.status, await response.text()], [200, ''])
  })

  test('the config of an app lists the capabilities that are on', async () => {
    enableCapabilities('data', 'unknown')
    const { data } = (await (await ask('/_app/config')).json()) as { data: object }
    assert.deepEqual(data, { name: manifest.name, tier: 'production', capabilities: ['data'] })
  })

  test('every address of a disabled capability returns not_enabled, whether or not the route exists', async () => {
    for (const [method, path] of [
      ['GET', '/_app/data/notes'],
      ['POST', '/_app/data/mutate'],
      ['GET', '/_app/data/nothing/at/all'],
      ['DELETE', '/_app/push/devices'],
    ] as const)
      assert.deepEqual((await errorOf(ask(path, { method }))).slice(0, 2), [404, 'not_enabled'], path)
  })

  test('a write from a page of another site is refused before any code of the app runs', async () => {
    const routes = { routes: new Hono().post('/save', () => assert.fail('not called')) }
    const headers = { origin: 'https://evil.example.com' }
    const refusal = [403, 'forbidden', 'This request came from another site.']
    assert.deepEqual(await errorOf(ask('/api/save', { method: 'POST', headers }, routes)), refusal)
  })

  test('an app can export its routes by name or as the default, and a module without routes serves none', async () => {
    const own = new Hono().get('/hello', (c) => c.text('hi'))
    for (const routes of [{ routes: own }, { default: own }])
      assert.equal(await (await ask('/api/hello', {}, routes)).text(), 'hi')
    for (const routes of [{}, { routes: null }, { default: 'text' }, { routes: {} }])
      assert.deepEqual(await errorOf(ask('/api/hello', {}, routes)), MISSING)
  })

  test("a route's ApiError is returned with its code, and any other error is logged and not shown", async () => {
    const routes = {
      routes: new Hono()
        .get('/refused', () => {
          throw new ApiError('conflict', 'Not now.')
        })
        .get('/broken', () => {
          throw new Error('the password is 1234')
        }),
    }
    assert.deepEqual(await errorOf(ask('/api/refused', {}, routes)), [409, 'conflict', 'Not now.'])
    assert.deepEqual(logged, [])
    const failed = [500, 'server_error', 'Something failed in the app.']
    assert.deepEqual(await errorOf(ask('/api/broken', {}, routes)), failed)
    assert.deepEqual(logged, [{ message: 'the password is 1234', route: '/api/broken' }])
  })

  test("a request for a page fails when the app's files cannot be reached, and the reason is logged", async () => {
    files.isDown = true
    assert.deepEqual(await errorOf(ask('/rooms')), [500, 'server_error', 'Something failed in the app.'])
    assert.deepEqual(logged, [{ message: 'The files cannot be reached.', route: '/rooms' }])
  })

  test('an app refuses a request body of more than 1 MiB, whether its length is declared or not', async () => {
    const read = new Hono().post('/save', async (c) => c.json((await c.req.text()).length))
    const post = (size: number) =>
      ask('/api/save', { method: 'POST', body: 'x'.repeat(size) }, { routes: read })
    assert.equal(await (await post(1024 * 1024)).json(), 1024 * 1024)
    const tooLarge = [400, 'invalid_request', 'body: is larger than 1 MiB']
    assert.deepEqual(await errorOf(post(1024 * 1024 + 1)), tooLarge)
  })

  test('a standalone app stores its schedules at its first request, and tries again at the next request after a failure', async () => {
    const announced: unknown[] = []
    let failures = 1
    const prepare = async (...given: unknown[]) => {
      announced.push(given)
      if (failures-- > 0) throw new Error('The object restarts.')
    }
    workerEnv['LIVE'] = { prepare }
    manifest.schedules = [{ name: 'nightly', repeat: 'day', cron: '0 3 * * *', handler: 'report' }]
    enableCapabilities('schedule')
    await ask('/')
    assert.deepEqual(announced, [], 'the service announces them when it deploys the app')
    workerEnv['APP_STANDALONE'] = 'on'
    assert.equal((await ask('/')).status, 500)
    assert.equal((await ask('/')).status, 200)
    assert.equal((await ask('/')).status, 200)
    assert.deepEqual(announced, [
      [manifestHash, manifest],
      [manifestHash, manifest],
    ])
  })
})
