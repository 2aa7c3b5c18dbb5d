import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { ApiError, fromFailure, invalid, asResult, STATUS_OF, toFailure, unwrapResult } from '../errors.ts'
import { hasSafeMethod, limitBody, queryIn, readJson, requireOwnOrigin } from './guard.ts'
import { Hold } from '../objects/hold.ts'
import { memoryStorage } from '../objects/sqlite.test.fixture.ts'

const requestOf = (init: RequestInit = {}, url = 'https://app.test/x') => new Request(url, init)

describe('a request of another site', () => {
  test("a write is accepted with the app's own host as its Origin, over http or https, and without an Origin header", () => {
    for (const headers of [
      {},
      { origin: 'https://app.test' },
      { origin: 'http://app.test' },
    ] as HeadersInit[])
      requireOwnOrigin(requestOf({ method: 'POST', headers }))
  })

  test('a write is rejected when its Origin header is another host, another port, null or empty', () => {
    for (const origin of [
      'https://evil.test',
      'https://app.test.evil.test',
      'https://app.test:8443',
      'null',
      '',
    ])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        assert.throws(() => requireOwnOrigin(requestOf({ method, headers: { origin } })), {
          code: 'forbidden',
        })
  })

  test('pages of other origins may send read requests, but cannot open a WebSocket', () => {
    const headers = { origin: 'https://evil.test' }
    for (const method of ['GET', 'HEAD', 'OPTIONS']) requireOwnOrigin(requestOf({ method, headers }))
    const socket = {
      get: (name: string) => ({ upgrade: 'WebSocket', origin: 'https://evil.test' })[name] ?? null,
    }
    const upgrade = { method: 'GET', url: 'https://app.test/x', headers: socket } as unknown as Request
    assert.equal(hasSafeMethod(upgrade), true)
    assert.throws(() => requireOwnOrigin(upgrade), { code: 'forbidden' })
  })
})

describe('the body of a request', () => {
  /** A request whose body is sent in chunks, without a length header. */
  const streamedRequest = (...parts: string[]) =>
    requestOf({
      method: 'POST',
      body: new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
          controller.close()
        },
      }),
      duplex: 'half',
    } as RequestInit)

  test('a request body up to the size limit is passed on byte for byte, and one byte more is rejected', async () => {
    assert.equal(await (await limitBody(streamedRequest('abc', 'def'), 6)).text(), 'abcdef')
    await assert.rejects(limitBody(streamedRequest('abc', 'defg'), 6), { code: 'invalid_request' })
    await assert.rejects(limitBody(streamedRequest('x'.repeat(1024 * 1024 + 1))), {
      message: 'body: is larger than 1 MiB',
    })
  })

  test('a request whose body length was measured keeps its method and URL, and an empty body is accepted', async () => {
    const limited = await limitBody(streamedRequest('{}'), 10)
    assert.deepEqual([limited.method, limited.url], ['POST', 'https://app.test/x'])
    assert.equal(await (await limitBody(requestOf({ method: 'POST' }), 10)).text(), '')
  })

  test('a request body that is not a JSON object is rejected with an error that names the body', async () => {
    const read = (body: string) => readJson(requestOf({ method: 'POST', body }))
    assert.deepEqual(await read('{"a":[1,null]}'), { a: [1, null] })
    for (const [body, problem] of [
      ['', 'is not JSON'],
      ['{', 'is not JSON'],
      ['null', 'must be an object'],
      ['[]', 'must be an object'],
      ['"x"', 'must be an object'],
    ] as const)
      await assert.rejects(read(body), {
        code: 'invalid_request',
        field: 'body',
        message: `body: ${problem}`,
      })
    const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
    assert.ok('a' in (await read(nested(100))))
    await assert.rejects(read(nested(102)), { field: 'body', message: 'body: is nested too deeply' })
    await assert.rejects(read(nested(50_000)), { field: 'body' })
  })

  test('a request with a repeated query parameter is rejected, and an unknown parameter is ignored', () => {
    const url = 'https://app.test/x?limit=5&sort=&other=1'
    assert.deepEqual(queryIn(url, ['limit', 'sort', 'cursor']), { limit: '5', sort: '' })
    assert.throws(() => queryIn(`${url}&limit=6`, ['limit']), { code: 'invalid_request', field: 'limit' })
    assert.deepEqual(queryIn(`${url}&other=2`, ['limit']), { limit: '5' })
  })
})

describe('errors between workers', () => {
  const codes = Object.keys(STATUS_OF) as (keyof typeof STATUS_OF)[]

  test('an error keeps its code, message, field and retry delay when it is sent between workers', () => {
    const error = fc.record({
      code: fc.constantFrom(...codes),
      message: fc.string(),
      field: fc.option(fc.string(), { nil: undefined }),
      retryAfterSeconds: fc.option(fc.integer({ min: 1, max: 900 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(error, ({ code, message, field, retryAfterSeconds }) => {
        const sent = JSON.stringify(toFailure(new ApiError(code, message, { field, retryAfterSeconds })))
        const arrived = fromFailure(JSON.parse(sent) as object)
        assert.deepEqual(
          [arrived.code, arrived.message, arrived.field, arrived.retryAfterSeconds, arrived.status],
          [code, message, field, retryAfterSeconds, STATUS_OF[code]],
        )
      }),
    )
  })

  test('a malformed error from another worker becomes a server error', () => {
    for (const strange of [
      {},
      { code: 5 },
      { code: 'teapot', message: null },
      { code: 'toString' },
      { message: {} },
    ]) {
      const { code, status } = fromFailure(strange)
      assert.deepEqual([code, status], ['server_error', 500], JSON.stringify(strange))
    }
  })

  test('an ApiError crosses an RPC call as a value and is thrown by the receiver; any other error is thrown by the sender', async () => {
    const refused = await asResult(() => {
      throw invalid('name', 'is missing')
    })
    assert.deepEqual(refused, {
      ok: false,
      error: { code: 'invalid_request', message: 'name: is missing', field: 'name' },
    })
    assert.throws(() => unwrapResult(refused), { code: 'invalid_request', field: 'name' })
    assert.equal(unwrapResult(await asResult(() => 5)), 5)
    const broken = new TypeError('broken')
    await assert.rejects(
      asResult(() => Promise.reject(broken)),
      broken,
    )
  })
})

describe('a Durable Object whose app is being copied', () => {
  test('a Durable Object rejects changes while its data is copied to another cloud account, even after a restart', () => {
    const storage = memoryStorage()
    const hold = new Hold(storage)
    hold.require()
    assert.deepEqual(
      storage.sql.exec('select name from sqlite_master').toArray(),
      [],
      'asking stores nothing',
    )
    hold.set(true)
    assert.throws(() => hold.require(), { code: 'unavailable' })
    assert.throws(() => new Hold(storage).require(), { code: 'unavailable' })
    hold.set(true)
    hold.set(false)
    hold.require()
    new Hold(storage).require()
  })
})
