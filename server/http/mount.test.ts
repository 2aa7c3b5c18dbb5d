import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import * as z from 'zod'
import { createApp } from '../app.ts'
import { endpoint, group } from '../endpoint.ts'
import { ProviderError } from '../lib/provider-error.ts'
import { testApp, type TestApp } from '../testing/app.ts'
import { RawJson } from './endpoint.ts'
import { ApiError } from './errors.ts'
import { createLimits } from './limits/limits.ts'

interface LogLine {
  level: number
}

let cancelled = 0
const waiting = Promise.withResolvers<void>()

/** Test endpoints, one of each kind, served by the real HTTP layer. */
const routes = group('Kernel', {
  echo: endpoint({
    route: 'POST /echo/:name',
    scope: 'public',
    summary: 'Says it back',
    query: z.object({ loud: z.enum(['0', '1']).optional() }),
    body: z.object({ text: z.string(), more: z.object({ n: z.number() }).optional() }),
    returns: z.object({ name: z.string(), text: z.string() }),
    handle: ({ params, query, body }) => ({
      name: params.name,
      text: query.loud === '1' ? body.text.toUpperCase() : body.text,
    }),
  }),
  ready: endpoint({
    route: 'GET /ready-made',
    scope: 'public',
    summary: 'JSON text that is not parsed again',
    returns: z.array(z.number()),
    handle: () => new RawJson('[1, 2]'),
  }),
  nothing: endpoint({
    route: 'GET /nothing',
    scope: 'public',
    summary: 'A null answer',
    returns: z.null(),
    handle: () => null,
  }),
  waits: endpoint({
    route: 'GET /waits',
    scope: 'public',
    summary: 'Ends when the client disconnects',
    returns: z.null(),
    handle: async ({ ctx }) => {
      waiting.resolve()
      await sleep(60_000, undefined, { signal: ctx.signal })
      return null
    },
  }),
  stream: endpoint({
    route: 'GET /stream',
    scope: 'public',
    kind: 'sse',
    summary: 'Two frames, then a fault',
    query: z.object({ fault: z.string().optional() }),
    returns: z.object({ type: z.string() }),
    handle: ({ query }) => streamFrames(query.fault),
  }),
  bytes: endpoint({
    route: 'GET /bytes',
    scope: 'public',
    kind: 'bytes',
    contentType: 'application/zip',
    summary: 'Bytes',
    handle: () => ({
      body: new Uint8Array([1, 2, 3]),
      contentType: 'application/zip',
      headers: { 'content-disposition': 'attachment; filename="a.zip"' },
    }),
  }),
  part: endpoint({
    route: 'GET /parts/:where',
    rest: true,
    scope: 'public',
    kind: 'bytes',
    contentType: 'text/plain',
    summary: 'A part of what has slashes in its name',
    handle: ({ params }) => ({
      body: new ReadableStream({
        start: (stream) => stream.enqueue(new TextEncoder().encode(params.where)),
        pull: (stream) => stream.close(),
        cancel: () => void (cancelled += 1),
      }),
      status: 206,
      contentType: 'text/plain',
    }),
  }),
  go: endpoint({
    route: 'GET /go',
    scope: 'public',
    kind: 'redirect',
    summary: 'Elsewhere',
    handle: () => '/there',
  }),
  goFailing: endpoint({
    route: 'GET /go/:how',
    scope: 'public',
    kind: 'redirect',
    summary: 'A page instead of an error',
    handle: ({ params }): string => {
      throw FAILURES[params.how] ?? new Error('secret internals')
    },
    refused: (error, _ctx, params) => `/there?error=${error.code}&how=${params['how']}`,
  }),
  status: endpoint({
    route: 'POST /status/:how',
    at: 'root',
    scope: 'public',
    kind: 'status',
    summary: 'A status and nothing else',
    statuses: { 202: 'Taken.', 413: 'Too much.' },
    limit: { counter: 'status', per: 'path', perMinute: 2, countedBy: 'handler' },
    handle: async ({ params, spend }) => {
      if (params.how === 'unknown') throw new ApiError('not_found', 'No such resource.')
      if (params.how === 'broken') throw new Error('a secret of the inside')
      if (params.how === 'large') return 413
      await spend()
      return 202
    },
  }),
  parts: endpoint({
    route: 'GET /own-parts',
    scope: 'public',
    needs: ['keyring'],
    summary: 'The parts that its handler gets',
    returns: z.array(z.string()),
    handle: ({ ctx }) => {
      // @ts-expect-error: a port that is not declared.
      assert.equal(ctx.jobs, undefined)
      return Object.keys(ctx)
    },
  }),
  upload: endpoint({
    route: 'POST /upload',
    scope: 'public',
    summary: 'Raw bytes in',
    rawBody: { types: ['image/png'], maxBytes: 10 },
    returns: z.object({ size: z.number() }),
    handle: async ({ request }) => ({ size: (await request.arrayBuffer()).byteLength }),
  }),
  fail: endpoint({
    route: 'GET /fail/:how',
    scope: 'public',
    summary: 'Fails as asked',
    returns: z.null(),
    handle: ({ params }): null => {
      throw FAILURES[params.how] ?? new Error('secret internals')
    },
  }),
})

const FAILURES: Record<string, Error> = {
  limited: new ApiError('rate_limited', 'Slow down.', { retryAfterSeconds: 7 }),
  cloud: new ProviderError('cloudflare', 'The account is out of workers.', { cause: new Error('token abc') }),
  busy: new ProviderError('cloudflare', 'The account is asked too often.', {
    status: 429,
    retryAfterSeconds: 30,
  }),
  model: new ProviderError('model', 'The model is overloaded.'),
  database: Object.assign(new Error('terminating connection'), { code: '57P01' }),
}

async function* streamFrames(fault: string | undefined) {
  yield { id: 'r:1', data: '{"type":"run"}' }
  yield { data: '{"type":"delta"}' }
  if (fault !== undefined) throw new Error(fault)
}

describe('the kernel', () => {
  let app: TestApp
  let kernel: ReturnType<typeof createApp>
  before(async () => {
    app = await testApp()
    kernel = createApp(app.platform, routes, createLimits(app.config.limits), {
      auth: () => Promise.resolve(new Response('auth')),
      page: (request) =>
        Promise.resolve(new URL(request.url).pathname === '/page' ? new Response('page') : null),
    })
  })
  after(() => app.close())

  const postBody = (path: string, body: string, type = 'application/json') =>
    kernel.request(`/api/v1${path}`, { method: 'POST', body, headers: { 'content-type': type } })

  test("an endpoint's handler gets validated parameters, query and body, and its result becomes the `data` of the JSON response", async () => {
    const answer = await postBody('/echo/ann?loud=1', '{"text":"hi","ignored":true}')
    assert.deepEqual(await answer.json(), { ok: true, data: { name: 'ann', text: 'HI' } })
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  })

  test("an endpoint's handler gets the base context and only the other parts of the service that the endpoint declares", async () => {
    const { data } = (await (await kernel.request('/api/v1/own-parts')).json()) as { data: string[] }
    assert.deepEqual(data, ['requestId', 'address', 'db', 'clock', 'log', 'keyring'])
  })

  test('the service does not start when an endpoint needs a part that the service lacks', () => {
    const misspelt = group('Kernel', {
      misspelt: endpoint({
        route: 'GET /misspelt',
        scope: 'public',
        // @ts-expect-error: no part of the service has this name.
        needs: ['keyrng'],
        kind: 'redirect',
        summary: 'Needs a part that does not exist',
        handle: () => '/there',
      }),
    })
    assert.throws(
      () =>
        createApp(app.platform, misspelt, createLimits(app.config.limits), {
          auth: () => Promise.resolve(new Response('auth')),
          page: () => Promise.resolve(null),
        }),
      /GET \/misspelt needs keyrng, which the service lacks/,
    )
  })

  test('the message of an invalid request names the path of the wrong field', async () => {
    const answer = await postBody('/echo/ann', '{"text":"hi","more":{"n":"1"}}')
    const { error } = (await answer.json()) as { error: { message: string } }
    assert.match(error.message, /^more\.n: /)
  })

  test('a query parameter given twice is refused with an error that names the parameter', async () => {
    const answer = await postBody('/echo/ann?loud=1&loud=0', '{"text":"hi"}')
    assert.match(await answer.text(), /loud: must be given once/)
  })

  test('a body over the limit of its route is refused, with or without a Content-Length', async () => {
    const large = JSON.stringify({ text: 'x'.repeat(1024 * 1024) })
    assert.equal((await postBody('/echo/ann', large)).status, 400)
    const chunked = new Request('http://localhost/api/v1/echo/ann', {
      method: 'POST',
      body: new Blob([large]).stream(),
      duplex: 'half',
    })
    const answer = await kernel.request(chunked)
    assert.match(await answer.text(), /body: must be at most 16384 bytes/)
  })

  test('a null result and a RawJson result of a handler are put unchanged into the `data` of the JSON response', async () => {
    assert.equal(await (await kernel.request('/api/ready-made')).text(), '{"ok":true,"data":[1, 2]}')
    assert.equal(await (await kernel.request('/api/nothing')).text(), '{"ok":true,"data":null}')
  })

  test('an event stream sends events with ids and tells proxies not to buffer', async () => {
    const answer = await kernel.request('/api/v1/stream')
    assert.equal(answer.headers.get('x-accel-buffering'), 'no')
    assert.match(answer.headers.get('cache-control') ?? '', /no-store/)
    assert.equal(await answer.text(), 'id: r:1\ndata: {"type":"run"}\n\ndata: {"type":"delta"}\n\n')
  })

  test('an event stream that fails after it opened ends with one error frame without internal details', async () => {
    const text = await (await kernel.request('/api/v1/stream?fault=secret')).text()
    const last = JSON.parse(text.trim().split('data: ').at(-1) ?? '') as { type: string; kind: string }
    assert.deepEqual([last.type, last.kind], ['error', 'server_error'])
    assert.ok(!text.includes('secret'))
  })

  test('responses with bytes and redirects keep their headers and carry the request id', async () => {
    const bytes = await kernel.request('/api/v1/bytes', { headers: { 'x-request-id': 'abc' } })
    assert.deepEqual([...new Uint8Array(await bytes.arrayBuffer())], [1, 2, 3])
    assert.match(bytes.headers.get('content-disposition') ?? '', /a\.zip/)
    assert.equal(bytes.headers.get('x-request-id'), 'abc')
    const redirect = await kernel.request('/api/v1/go')
    assert.deepEqual([redirect.status, redirect.headers.get('location')], [302, '/there'])
  })

  test('a wildcard path parameter includes slashes and is decoded once, and an empty parameter returns a 404', async () => {
    for (const [path, where] of Object.entries({
      'a/b.txt': 'a/b.txt',
      'a%2Fb%20c': 'a/b c',
      'a%252Fb': 'a%2Fb',
      'a//b': 'a//b',
    })) {
      const answer = await kernel.request(`/api/v1/parts/${path}`)
      assert.deepEqual([answer.status, await answer.text()], [206, where], path)
    }
    assert.equal((await kernel.request('/api/v1/parts/')).status, 404)
  })

  test("for a HEAD request the body stream of the route's response is cancelled, and no body is sent", async () => {
    const answer = await kernel.request('/api/v1/parts/a', { method: 'HEAD' })
    assert.deepEqual([answer.status, await answer.text(), cancelled], [206, '', 1])
  })

  test('a route that only returns a status never sends a body, not even for an error or another HTTP method', async () => {
    const requestStatus = (how: string, method = 'POST') =>
      kernel.request(`/status/${how}`, { method, headers: { 'x-request-id': 'abc' } })
    const expected = { fine: 202, large: 413, unknown: 404, broken: 500, 'a%00b': 404 }
    for (const [how, status] of Object.entries(expected)) {
      const answer = await requestStatus(how)
      assert.deepEqual([answer.status, await answer.text()], [status, ''], how)
      assert.equal(answer.headers.get('x-request-id'), 'abc', how)
      assert.equal(answer.headers.get('content-type'), null, how)
    }
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await requestStatus('fine', method)
      assert.deepEqual([answer.status, await answer.text()], [404, ''], method)
      assert.equal(answer.headers.get('x-request-id'), 'abc', method)
    }
  })

  test('a rate limit that a handler counts itself is not used up by requests that the handler refuses', async () => {
    const requestStatus = (how: string) => kernel.request(`/status/${how}`, { method: 'POST' })
    for (let i = 0; i < 5; i++) assert.equal((await requestStatus('large')).status, 413)
    assert.deepEqual(
      [(await requestStatus('counted')).status, (await requestStatus('counted')).status],
      [202, 202],
    )
    // Another spelling of the same path uses the same counter.
    const refused = await requestStatus('c%6funted')
    assert.deepEqual([refused.status, await refused.text()], [429, ''])
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
    assert.equal((await requestStatus('other')).status, 202)
  })

  test('a raw request body is checked for type and size before it is read', async () => {
    assert.deepEqual(await (await postBody('/upload', 'abc', 'image/png')).json(), {
      ok: true,
      data: { size: 3 },
    })
    assert.match(await (await postBody('/upload', 'abc', 'text/html')).text(), /Content-Type: must be one of/)
    const large = await kernel.request('/api/v1/upload', {
      method: 'POST',
      body: 'x'.repeat(11),
      headers: { 'content-type': 'image/png', 'content-length': '11' },
    })
    assert.equal(large.status, 400)
  })

  test('each kind of thrown error becomes a response with its code, its status and its wait in Retry-After, but without its cause', async () => {
    const expected = {
      limited: [429, 'rate_limited', '7'],
      cloud: [502, 'upstream_error', null],
      model: [502, 'model_error', null],
      busy: [503, 'unavailable', '30'],
      database: [503, 'unavailable', null],
      other: [500, 'server_error', null],
    }
    for (const [how, about] of Object.entries(expected)) {
      const answer = await kernel.request(`/api/v1/fail/${how}`)
      const text = await answer.text()
      const { error } = JSON.parse(text) as { error: { code: string } }
      assert.deepEqual([answer.status, error.code, answer.headers.get('retry-after')], about)
      assert.ok(!/token abc|secret|terminating/.test(text), text)
    }
  })

  test('a browser that is redirected after a failed request sees only the error code, and the cause is in the log', async () => {
    const logged: string[] = []
    const log = pino({}, { write: (line: string) => void logged.push(line) })
    const own = createApp({ ...app.platform, log }, routes, createLimits(app.config.limits), {
      auth: () => Promise.resolve(new Response('auth')),
      page: () => Promise.resolve(null),
    })
    const openPage = (how: string) =>
      own.request(`/api/v1/go/${how}`, { headers: { accept: 'text/html,*/*' } })
    const limited = await openPage('limited')
    assert.deepEqual(
      [limited.status, limited.headers.get('location')],
      [302, '/there?error=rate_limited&how=limited'],
    )
    assert.deepEqual(logged, [], 'a refusal is explained by its code')
    for (const [how, cause] of [
      ['cloud', /token abc/],
      ['database', /terminating connection/],
      ['other', /secret internals/],
    ] as const) {
      const failed = await openPage(how)
      assert.equal(failed.status, 302)
      assert.doesNotMatch(failed.headers.get('location') ?? '', cause)
      assert.match(logged.splice(0).join(''), cause, how)
    }
  })

  test('a request that fails because its client disconnected is logged as a warning and not as an error', async () => {
    const levels: number[] = []
    const log = pino({}, { write: (line: string) => void levels.push((JSON.parse(line) as LogLine).level) })
    const own = createApp({ ...app.platform, log }, routes, createLimits(app.config.limits), {
      auth: () => Promise.resolve(new Response('auth')),
      page: () => Promise.resolve(null),
    })
    const connection = new AbortController()
    const lost = own.request('/api/v1/waits', { signal: connection.signal })
    await waiting.promise
    connection.abort()
    assert.equal((await lost).status, 503)
    assert.deepEqual(levels, [pino.levels.values['warn']])
  })

  test('only GET requests outside /api are passed to the handler that serves pages', async () => {
    assert.equal(await (await kernel.request('/page')).text(), 'page')
    assert.equal((await kernel.request('/api/page')).status, 404)
    assert.equal((await kernel.request('/page', { method: 'POST' })).status, 404)
  })
})
