import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { Response as UndiciResponse } from 'undici'
import { egressSource, fetchForApp } from './egress.ts'
import { unreachableCause } from '../../world/public-addresses.ts'

interface Egress {
  fetch(request: Request, env: object): Promise<Response>
}

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

async function* endlessBody(): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.alloc(1_000_000)
}

describe('outbound requests of an app', () => {
  const respondWith = (word: string) => ({ fetch: async () => new Response(word) })
  const env = {
    STAND_INS: { 'pay.example.com': '_local_', 'sign-in.example.com': '' },
    ALLOWED: ['10.0.0.1:8080'],
    APPS_PORT: '4320',
    HOST: respondWith('this machine'),
    PUBLIC: respondWith('the internet'),
    CAUSE: { fetch: async (url: string) => new Response(await unreachableCause(new URL(url).hostname)) },
  }
  const goesTo = async (url: string, headers: Record<string, string> = {}, changed: object = {}) => {
    const module = (await import(`data:text/javascript,${encodeURIComponent(egressSource)}`)) as {
      default: Egress
    }
    return (await module.default.fetch(new Request(url, { headers }), { ...env, ...changed })).text()
  }

  test("an app's request with a stand-in's API key goes to the stand-in, and with any other key to the real provider", async () => {
    const url = 'https://pay.example.com/v1'
    assert.equal(await goesTo(url, { authorization: 'Bearer sk_test_local_shop' }), 'this machine')
    assert.equal(await goesTo(url, { authorization: 'Bearer sk_test_real' }), 'the internet')
    assert.equal(await goesTo(url), 'the internet')
    assert.equal(await goesTo('https://sign-in.example.com/token'), 'this machine')
  })

  test('outgoing requests reach this machine only for local apps and allowed private addresses', async () => {
    assert.equal(await goesTo('http://shop.acme.localhost:4320/'), 'this machine')
    assert.equal(await goesTo('http://shop.acme.localhost:4310/'), 'the internet')
    assert.equal(await goesTo('http://10.0.0.1:8080/'), 'this machine')
    assert.equal(await goesTo('https://example.com/'), 'the internet')
  })

  /** Sends a request as an app does, and returns what arrives at the other app. */
  async function arrivedFrom(init: { method?: string; headers?: [string, string][]; body?: string }) {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method, headers } = request
        response.setHeader('set-cookie', ['a=1', 'b=2'])
        response.end(JSON.stringify({ method, headers, body: Buffer.concat(chunks).toString() }))
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    try {
      const answer = await fetchForApp(
        {
          url: `http://shop.acme.localhost:${port}/path`,
          method: init.method ?? 'GET',
          headers: init.headers ?? [],
          body: init.body === undefined ? null : bodyOf(init.body),
        },
        new Map(),
      )
      const text = new TextDecoder().decode(answer.body ?? new Uint8Array())
      return {
        answer,
        arrived: JSON.parse(text) as { method: string; headers: Record<string, string>; body: string },
      }
    } finally {
      server.close()
    }
  }

  test("connection headers of an app's request are not passed on", async () => {
    const names = [
      'Host',
      'Connection',
      'Content-Length',
      'Expect',
      'Keep-Alive',
      'Proxy-Connection',
      'TE',
      'Trailer',
      'Upgrade',
    ]
    const { arrived } = await arrivedFrom({
      method: 'POST',
      body: 'hello',
      headers: [
        ...names.map((name): [string, string] => [name.toLowerCase(), '100-continue']),
        ['x-own', 'kept'],
      ],
    })
    assert.deepEqual([arrived.method, arrived.body, arrived.headers['x-own']], ['POST', 'hello', 'kept'])
    assert.doesNotMatch(JSON.stringify(arrived.headers), /100-continue/)
    assert.match(arrived.headers['host'] ?? '', /^shop\.acme\.localhost:\d+$/)
  })

  test("an app receives all Set-Cookie headers of another app's response", async () => {
    const { answer } = await arrivedFrom({})
    assert.deepEqual(
      answer.headers.filter(([name]) => name === 'set-cookie'),
      [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
    )
  })

  test('a request loop between apps ends with status 508 after 16 hops', async () => {
    const { arrived } = await arrivedFrom({ headers: [['slipway-hops', '15']] })
    assert.equal(arrived.headers['slipway-hops'], '16')
    const request = { url: 'http://a.localhost/', method: 'GET', body: null }
    const looped = await fetchForApp({ ...request, headers: [['slipway-hops', '16']] }, new Map())
    assert.deepEqual(looped, { status: 508, headers: [], body: null })
  })

  test("a response to an app's request has no body with status 204, 205 or 304, and an empty one with status 200", async () => {
    const answerWith = (status: number) =>
      fetchForApp(
        {
          url: 'https://pay.example.com/',
          method: 'GET',
          headers: [],
          body: null,
        },
        new Map([
          ['pay.example.com', { mark: '', answer: async () => new UndiciResponse(null, { status }) }],
        ]),
      )
    for (const status of [204, 205, 304])
      assert.deepEqual((await answerWith(status)).body, null, String(status))
    assert.equal((await answerWith(200)).body?.byteLength, 0)
  })

  test('an endless body that an app sends to another app, or receives from it, is not read beyond 32 MiB', async () => {
    const url = 'https://pay.example.com/'
    const endlessAnswer = async () => new UndiciResponse(ReadableStream.from(endlessBody()))
    const apps = new Map([['pay.example.com', { mark: '', answer: endlessAnswer }]])
    const received = await fetchForApp({ url, method: 'GET', headers: [], body: null }, apps)
    assert.deepEqual([received.status, received.body], [502, null])
    const sent = await fetchForApp({ url, method: 'POST', headers: [], body: endlessBody() }, apps)
    assert.deepEqual([sent.status, sent.body], [413, null])
  })

  test('the error of a failed outgoing request names an unknown host or a private address as the cause', async () => {
    const PUBLIC = { fetch: () => Promise.reject(new Error('Network connection lost.')) }
    const tryHost = (host: string) => goesTo(`http://${host}/`, {}, { PUBLIC })
    const isPrivate = /Apps reach public addresses only: not this machine, not its private network\.$/
    await assert.rejects(tryHost('10.0.0.1'), isPrivate)
    await assert.rejects(tryHost('[::ffff:127.0.0.1]:81'), isPrivate)
    await assert.rejects(tryHost('unknown.invalid'), {
      message: 'Could not reach unknown.invalid. The host name has no address.',
    })
    await assert.rejects(tryHost('8.8.8.8'), { message: 'Could not reach 8.8.8.8. Network connection lost.' })
  })
})
