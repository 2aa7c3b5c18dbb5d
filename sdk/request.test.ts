import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionError, SlipwayError, TimeoutError, UnexpectedResponseError } from './errors.ts'
import { createClient } from './client/client/client.gen.ts'
import { listProjects } from './client/sdk.gen.ts'
import { createTransport, sleep, unwrap } from './request.ts'

const errorResponse = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ ok: false, error: { code, message } }), {
    status,
    headers: { 'X-Request-Id': 'req-7', ...headers },
  })
const okResponse = () => new Response('{"ok":true,"data":1}')

/** A transport over a fake `fetch`, which returns these responses in order. Records the requests and the waits. */
function scriptedTransport(
  answers: (Response | Error)[],
  options: { maxRetries?: number; maxWaitMs?: number } = {},
) {
  const asked: Request[] = []
  const waited: number[] = []
  const transport = createTransport({
    ...options,
    fetch: async (request) => {
      asked.push(request)
      const answer = answers.shift()
      if (answer instanceof Error || !answer) throw answer ?? new Error('nothing left to answer')
      return answer
    },
    wait: async (ms) => void waited.push(ms),
  })
  return { transport, asked, waited }
}
const getRequest = (init: RequestInit = {}) => new Request('http://localhost/api/v1/projects', init)
/** Runs `work` while every random number is 0.5, so that each wait is half of its maximum. */
async function withoutChance<T>(work: () => Promise<T>): Promise<T> {
  const { random } = Math
  Math.random = () => 0.5
  try {
    return await work()
  } finally {
    Math.random = random
  }
}
const failureOf = async (promise: Promise<unknown>): Promise<SlipwayError> => {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof SlipwayError)
  return error
}

test('an error response is thrown with its code, message, status and request id', async () => {
  const { transport } = scriptedTransport([errorResponse(404, 'not_found', 'No such project.')])
  const error = await failureOf(transport(getRequest()))
  assert.deepEqual(
    [error.code, error.message, error.status, error.requestId, error.path],
    ['not_found', 'No such project.', 404, 'req-7', '/api/v1/projects'],
  )
})

test('a read request is retried after a transient failure', async () => {
  const { transport, asked } = scriptedTransport([
    errorResponse(503, 'unavailable', 'Away.'),
    new Error('reset'),
    okResponse(),
  ])
  assert.equal((await transport(getRequest())).status, 200)
  assert.equal(asked.length, 3)
})

test('a write request without an idempotency key is never retried', async () => {
  const { transport, asked } = scriptedTransport([errorResponse(503, 'unavailable', 'Away.'), okResponse()])
  await failureOf(transport(getRequest({ method: 'POST', body: '{}' })))
  assert.equal(asked.length, 1)
})

test('a write request with an idempotency key is retried with the same key and body', async () => {
  const { transport, asked } = scriptedTransport([new Error('reset'), okResponse()])
  await transport(getRequest({ method: 'POST', body: '{"name":"A"}', headers: { 'Idempotency-Key': 'k1' } }))
  assert.equal(asked[1]?.headers.get('Idempotency-Key'), 'k1')
  assert.equal(await asked[1]?.text(), '{"name":"A"}')
})

test('a 400 response is thrown without a retry', async () => {
  const { transport, asked } = scriptedTransport([errorResponse(400, 'invalid_request', 'limit: too large')])
  await failureOf(transport(getRequest()))
  assert.equal(asked.length, 1)
})

test('the SDK waits before a retry as long as Retry-After says, and throws at once when that is above its limit', async () => {
  const patient = scriptedTransport([
    errorResponse(429, 'rate_limited', 'Slow.', { 'Retry-After': '2' }),
    okResponse(),
  ])
  await patient.transport(getRequest())
  assert.deepEqual(patient.waited, [2000])
  const hurried = scriptedTransport([errorResponse(429, 'rate_limited', 'Slow.', { 'Retry-After': '9' })], {
    maxWaitMs: 4000,
  })
  assert.equal((await failureOf(hurried.transport(getRequest()))).retryAfterMs, 9000)
  assert.deepEqual(hurried.waited, [])
})

test('a Retry-After header that is not a number of seconds is ignored, and the usual wait applies', async () => {
  for (const header of ['', ' ', '-5', 'soon', 'Infinity', '0x10', 'Wed, 21 Oct 2026 07:28:00 GMT']) {
    const { transport, waited } = scriptedTransport([
      errorResponse(503, 'unavailable', 'Away.', { 'Retry-After': header }),
      okResponse(),
    ])
    await withoutChance(() => transport(getRequest()))
    assert.deepEqual(waited, [250], JSON.stringify(header))
  }
})

test('the maximum of the random wait before a retry doubles from half a second up to eight seconds', async () => {
  const failures = Array.from({ length: 7 }, () => new Error('reset'))
  const { transport, waited } = scriptedTransport(failures, { maxRetries: 6 })
  await withoutChance(() => failureOf(transport(getRequest())))
  assert.deepEqual(waited, [250, 500, 1000, 2000, 4000, 4000])
})

test('an error response whose body breaks off is thrown as an unexpected response with its status', async () => {
  const broken = new ReadableStream({
    start: (controller) => controller.error(new TypeError('terminated')),
  })
  const { transport } = scriptedTransport([new Response(broken, { status: 403 })])
  const error = await failureOf(transport(getRequest()))
  assert.deepEqual([error.status, error.code], [403, 'unexpected_response'])
})

test('an error response whose code or message is not a text is thrown as an UnexpectedResponseError', async () => {
  for (const body of [
    'null',
    '[]',
    '{"error":null}',
    '{"error":{"code":7,"message":"x"}}',
    '{"error":{"code":"x"}}',
  ]) {
    const { transport } = scriptedTransport([new Response(body, { status: 400 })])
    assert.ok((await failureOf(transport(getRequest()))) instanceof UnexpectedResponseError, body)
  }
})

test('an aborted call that waits for its retry ends at once and sends nothing more', async () => {
  const stop = new AbortController()
  let sent = 0
  const transport = createTransport({
    fetch: async () => {
      sent += 1
      return errorResponse(503, 'unavailable', 'Away.', { 'Retry-After': '50' })
    },
    wait: (ms, signal) => {
      stop.abort(new Error('left the page'))
      return sleep(ms, signal)
    },
  })
  await assert.rejects(transport(getRequest({ signal: stop.signal })), /left the page/)
  assert.equal(sent, 1)
})

test('a call that is aborted while its error response arrives throws the reason of its signal, and is not reported as failed', async () => {
  const stop = new AbortController()
  const reported: string[] = []
  const body = new ReadableStream({
    start: (controller) => stop.signal.addEventListener('abort', () => controller.error(stop.signal.reason)),
  })
  const transport = createTransport({
    fetch: async () => {
      setImmediate(() => stop.abort(new Error('left')))
      return new Response(body, { status: 400 })
    },
    onFailure: ({ code }) => reported.push(code),
  })
  await assert.rejects(transport(new Request('http://localhost/x', { signal: stop.signal })), /left/)
  assert.deepEqual(reported, [])
})

test('the SDK reports a failed call to onFailure once, after its last retry, and not when a retry succeeds', async () => {
  const reported: string[] = []
  const transportOf = (answers: (Response | Error)[]) =>
    createTransport({
      fetch: async () => {
        const answer = answers.shift() ?? okResponse()
        if (answer instanceof Error) throw answer
        return answer
      },
      wait: async () => {},
      onFailure: (error) => reported.push(error.code),
    })
  await transportOf([new Error('reset'), errorResponse(502, 'upstream_error', 'x')])(getRequest())
  assert.deepEqual(reported, [])
  const failing = Array.from({ length: 3 }, () => errorResponse(503, 'unavailable', 'Away.'))
  await failureOf(transportOf(failing)(getRequest()))
  assert.deepEqual(reported, ['unavailable'])
})

test('the HTML page of a proxy is thrown as an unexpected response, with a truncated message', async () => {
  const { transport } = scriptedTransport([new Response(`<html>${'x'.repeat(900)}`, { status: 403 })])
  const error = await failureOf(transport(getRequest()))
  assert.ok(error instanceof UnexpectedResponseError)
  assert.ok(error.message.length < 260)
})

test('the SDK throws a connection error for a call without a response, and a timeout error for a late response', async () => {
  const refused = scriptedTransport([new TypeError('fetch failed')], { maxRetries: 0 })
  assert.ok((await failureOf(refused.transport(getRequest()))) instanceof ConnectionError)
  const slow = createTransport({
    timeoutMs: 5,
    maxRetries: 0,
    fetch: async (request) => {
      await sleep(60_000, request.signal)
      return okResponse()
    },
  })
  assert.ok((await failureOf(slow(getRequest()))) instanceof TimeoutError)
})

/** A response whose body sends its first bytes and then fails, or never ends when there is no error. */
const brokenResponse = (error: Error | null, headers: Record<string, string> = {}) =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"ok":true,')),
      pull: (controller) => (error === null ? new Promise(() => {}) : controller.error(error)),
    }),
    { headers: { 'Content-Type': 'application/json', ...headers } },
  )

test('a response body that breaks off is a connection error with the path, and a read request is then retried', async () => {
  const terminated = () => brokenResponse(new TypeError('terminated'))
  const read = scriptedTransport([terminated(), okResponse()])
  assert.deepEqual(await (await read.transport(getRequest())).json(), { ok: true, data: 1 })
  const write = scriptedTransport([terminated(), okResponse()])
  const error = await failureOf(write.transport(getRequest({ method: 'POST', body: '{}' })))
  assert.ok(error instanceof ConnectionError)
  assert.deepEqual([error.message, error.path], ['The response was cut off.', '/api/v1/projects'])
  assert.equal((error.cause as Error).message, 'terminated')
  assert.equal(write.asked.length, 1)
})

test('a response body that arrives later than the timeout is a timeout error', async () => {
  const transport = createTransport({
    timeoutMs: 5,
    maxRetries: 0,
    fetch: async ({ signal }) => {
      const late = Promise.withResolvers<never>()
      signal.addEventListener('abort', () => late.reject(signal.reason as Error))
      const body = new ReadableStream({ pull: () => late.promise })
      return new Response(body, { headers: { 'Content-Type': 'application/json' } })
    },
  })
  assert.ok((await failureOf(transport(getRequest()))) instanceof TimeoutError)
})

test('a JSON response keeps its status, headers and bytes, streams and downloads are returned unread, and 204 has no body', async () => {
  const bytes = new Uint8Array([0, 255, 128])
  const { transport } = scriptedTransport([
    new Response(bytes, {
      status: 201,
      headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'r' },
    }),
    brokenResponse(null, { 'Content-Type': 'text/event-stream; charset=utf-8' }),
    brokenResponse(null, { 'Content-Type': 'text/csv' }),
    new Response(null, { status: 204 }),
  ])
  const whole = await transport(getRequest())
  assert.deepEqual(
    [whole.status, whole.headers.get('Content-Type'), whole.headers.get('X-Request-Id')],
    [201, 'application/json', 'r'],
  )
  assert.deepEqual(new Uint8Array(await whole.arrayBuffer()), bytes)
  for (const _ of ['event stream', 'download']) {
    const stream = (await transport(getRequest())).body?.getReader()
    assert.equal(new TextDecoder().decode((await stream?.read())?.value), '{"ok":true,')
  }
  assert.equal((await transport(getRequest())).body, null)
})

test("an aborted call throws the caller's own reason, not a connection error", async () => {
  const stop = new AbortController()
  const transport = createTransport({
    fetch: async (request) => {
      await sleep(60_000, request.signal)
      return okResponse()
    },
  })
  const pending = transport(getRequest({ signal: stop.signal }))
  stop.abort(new Error('left the page'))
  await assert.rejects(pending, /left the page/)
})

test('unwrap returns the data of the envelope, even when it is null, false or empty', async () => {
  for (const data of [null, false, 0, '', []])
    assert.equal(await unwrap(Promise.resolve({ data: { ok: true, data } })), data)
})

test('unwrap throws an UnexpectedResponseError for a successful response without the envelope, such as the page of a proxy', async () => {
  for (const { type, body } of [
    { type: 'text/html', body: '<html>Sign in to the network</html>' },
    { type: 'application/json', body: '{}' },
    { type: 'application/json', body: '{"ok":true}' },
    { type: 'text/html', body: '' },
  ]) {
    const client = createClient({
      baseUrl: 'http://localhost',
      throwOnError: true,
      fetch: createTransport({
        fetch: async () => new Response(body, { headers: { 'content-type': type } }),
      }) as typeof fetch,
    })
    await assert.rejects(unwrap(listProjects({ client })), UnexpectedResponseError, `${type} ${body}`)
  }
})

test('unwrap returns the data of the envelope, and throws when a successful response has no body', async () => {
  assert.equal(await unwrap(Promise.resolve({ data: { ok: true, data: 'x' } })), 'x')
  await assert.rejects(unwrap(Promise.resolve({})), UnexpectedResponseError)
})
