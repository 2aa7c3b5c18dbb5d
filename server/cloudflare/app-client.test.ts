import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { callApp, type AdminWorkerAddress, type OperatorRequest } from './app-client.ts'
import { CloudflareError } from './errors.ts'

type Responder = (request: IncomingMessage, response: ServerResponse) => void

const jsonResponse =
  (status: number, body: unknown, headers: Record<string, string> = {}): Responder =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
const pageAnswer =
  (status: number): Responder =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html' })
    response.end('<h1>There is nothing here yet</h1>')
  }
const cutConnection: Responder = (request) => request.socket.destroy()
const okResponse = jsonResponse(200, { ok: true, data: [1] })

describe('requests to an app as its operator', () => {
  let server: Server
  let place: AdminWorkerAddress
  let answers: Responder[] = []
  let asked: { method: string | undefined; path: string | undefined; claim: Record<string, unknown> }[] = []

  before(async () => {
    server = createServer((request, response) => {
      const claim = JSON.parse((request.headers.authorization ?? '').replace('Bearer ', '')) as object
      asked.push({ method: request.method, path: request.url, claim: { ...claim } })
      const answer = answers.shift() ?? okResponse
      request.resume().on('end', () => answer(request, response))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    place = {
      name: 'plants-admin',
      url,
      signer: { publicKey: '', sign: (payload) => JSON.stringify(payload) },
    }
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    answers = []
    asked = []
  })

  const callTestApp = (change: Partial<OperatorRequest> = {}) =>
    callApp(place, { tier: 'production', method: 'GET', path: '/data/query?q=a%20b', ...change }, new Date(0))

  test('a response of an app that decompresses to more than 32 MiB is cut off, and the call fails', async () => {
    const large = `{"ok":true,"data":"${'0'.repeat(40_000_000)}"}`
    answers = [
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        response.end(gzipSync(large))
      },
    ]
    await assert.rejects(callTestApp(), CloudflareError)
  })

  test('each request of an operator to an app has its own short-lived token, valid only for that method, path and body', async () => {
    await callTestApp()
    await callTestApp({ method: 'PUT', path: "/data/records/it's", body: { a: 1 } })
    const [read, write] = asked.map(({ claim }) => claim)
    assert.deepEqual([read?.['method'], read?.['path']], ['GET', '/data/query?q=a%20b'])
    assert.deepEqual([write?.['method'], write?.['path']], ['PUT', asked[1]?.path])
    assert.equal(read?.['aud'], 'plants-admin')
    assert.ok((read?.['exp'] as number) <= 60)
    assert.notEqual(read?.['jti'], write?.['jti'])
    assert.notEqual(read?.['bodySha256'], write?.['bodySha256'])
  })

  test("an app's 409 response is returned to the caller as a refusal with its code and message", async () => {
    answers = [jsonResponse(409, { ok: false, error: { code: 'conflict', message: 'Someone else.' } })]
    assert.deepEqual(await callTestApp({ method: 'PUT' }), {
      refusal: { status: 409, code: 'conflict', message: 'Someone else.', retryAfterSeconds: null },
    })
  })

  test("an app's 429 response is returned with its Retry-After in seconds, and a Retry-After in the past counts as 0", async () => {
    const limited = { ok: false, error: { code: 'rate_limited', message: 'Too many requests.' } }
    for (const [header, seconds] of [
      ['7', 7],
      ['0', 0],
      ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ] as const) {
      answers = [jsonResponse(429, limited, { 'retry-after': header })]
      const refusal = { status: 429, ...limited.error, retryAfterSeconds: seconds }
      assert.deepEqual(await callTestApp(), { refusal }, header)
    }
  })

  test('a 503 of an app with a reason is returned after the last retry of a read, and at once for a change', async () => {
    const busy = jsonResponse(503, {
      ok: false,
      error: { code: 'unavailable', message: 'The app is being moved.' },
    })
    for (const [method, attempts] of [
      ['POST', 1],
      ['GET', 4],
    ] as const) {
      asked = []
      answers = Array(4).fill(busy)
      assert.deepEqual(await callTestApp({ method }), {
        refusal: {
          status: 503,
          code: 'unavailable',
          message: 'The app is being moved.',
          retryAfterSeconds: null,
        },
      })
      assert.equal(asked.length, attempts)
    }
  })

  test('a read from an app is retried while the app is missing, does not respond or fails', async () => {
    answers = [pageAnswer(404), cutConnection, jsonResponse(503, {})]
    assert.deepEqual(await callTestApp(), { data: [1] })
    assert.equal(asked.length, 4)
  })

  test("a request that changes an app's data is retried only when it did not reach the app or is marked as repeatable", async () => {
    answers = [pageAnswer(404)]
    assert.deepEqual(await callTestApp({ method: 'DELETE' }), { data: [1] })
    for (const lost of [cutConnection, jsonResponse(502, {})]) {
      asked = []
      answers = [lost]
      await assert.rejects(callTestApp({ method: 'DELETE' }), CloudflareError)
      assert.equal(asked.length, 1)
    }
    answers = [cutConnection]
    assert.deepEqual(await callTestApp({ method: 'POST', repeatable: true }), { data: [1] })
  })

  test("a live app's response of an unexpected form is a provider error, not data", async () => {
    for (const nonsense of [
      jsonResponse(200, { data: 1 }),
      jsonResponse(200, []),
      jsonResponse(200, { ok: false }),
      pageAnswer(200),
    ]) {
      answers = [nonsense]
      await assert.rejects(callTestApp(), CloudflareError)
    }
  })
})
