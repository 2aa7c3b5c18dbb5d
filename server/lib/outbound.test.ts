import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import {
  OutboundError,
  outboundFetch,
  refusalOfUrl,
  type OutboundFetch,
  type OutboundOptions,
} from './outbound.ts'

let server: Server
let port: number
let connections = 0
const opened: OutboundFetch[] = []

function openFetch(options: OutboundOptions): OutboundFetch {
  const fetch = outboundFetch(options)
  opened.push(fetch)
  return fetch
}
const resolvingTo = (...addresses: string[]) => ({
  lookup: () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))),
})

/** Asserts that a request is refused before any connection is made, by counting connections. */
async function assertNotConnected(fetch: OutboundFetch, url: string, why: RegExp = /./): Promise<void> {
  const before = connections
  await assert.rejects(fetch(url), (error) => {
    assert.ok(error instanceof OutboundError, `${url}: ${String(error)}`)
    assert.match(error.message, why)
    return true
  })
  assert.equal(connections, before, `${url} was connected to`)
}

describe('outbound requests', () => {
  before(async () => {
    server = createServer((req, res) => {
      if (req.url === '/redirect')
        return res.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end()
      if (req.url === '/long') return res.end('x'.repeat(5000))
      if (req.url === '/packed')
        return res
          .writeHead(200, { 'content-encoding': 'br' })
          .end(brotliCompressSync(Buffer.alloc(20_000_000)))
      if (req.url === '/odd') return res.writeHead(999).end('odd')
      if (req.url === '/silent') return
      res.end(`${req.method} ${req.url}`)
    })
    server.on('connection', () => connections++)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  after(async () => {
    await Promise.all(opened.map((fetch) => fetch.close()))
    server.closeAllConnections()
    server.close()
  })

  describe('no request reaches a private address', () => {
    const HOSTILE = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '127.0.0.1.',
      'localhost',
      'LOCALHOST.',
      'app.localhost',
      '１２７.０.０.１',
      '127。0。0。1',
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[fe80::1]',
      '[fd00:ec2::254]',
      '169.254.169.254',
      '0.0.0.0',
      '0',
      '[::]',
      '10.0.0.1',
      '100.64.0.1',
      '192.168.1.1',
      '255.255.255.255',
      '224.0.0.1',
    ]
    for (const host of HOSTILE) {
      test(`an outbound request to http://${host} is refused`, async () => {
        await assertNotConnected(openFetch({ allow: [] }), `http://${host}:${port}/`)
      })
    }

    test('a host name that resolves to a private address is refused, even when only one of its addresses is private', async () => {
      await assertNotConnected(
        openFetch({ allow: [], ...resolvingTo('127.0.0.1') }),
        `http://inside.test:${port}/`,
        /inside\.test is not public, so Slipway does not connect to it/,
      )
      await assertNotConnected(
        openFetch({ allow: [], ...resolvingTo('203.0.113.7', '10.0.0.1') }),
        `http://mixed.test:${port}/`,
      )
      await assertNotConnected(
        openFetch({ allow: [], ...resolvingTo('93.184.216.34', '::ffff:127.0.0.1') }),
        `http://mixed.test:${port}/`,
      )
      await assertNotConnected(
        openFetch({ allow: [], ...resolvingTo() }),
        `http://nowhere.test:${port}/`,
        /no address/,
      )
    })

    test('a host name is resolved once per outbound request, so the request connects to the address that was checked', async () => {
      let asked = 0
      const rebindingLookup = () =>
        Promise.resolve([{ address: ++asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }])
      const fetch = openFetch({ allow: ['127.0.0.1'], lookup: rebindingLookup })
      assert.equal(await (await fetch(`http://rebind.test:${port}/a`)).text(), 'GET /a')
      assert.equal(asked, 1)
    })

    test('outbound requests with a scheme other than http and https are refused', async () => {
      for (const url of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:text/plain,x', 'ws://127.0.0.1/']) {
        await assertNotConnected(openFetch({ allow: ['127.0.0.1'] }), url, /only http and https/)
      }
    })

    test('the error for an outbound request to a private address names the kind of address and the setting that allows it', async () => {
      const fetch = openFetch({ allow: [] })
      await assertNotConnected(
        fetch,
        `http://127.0.0.1:${port}/`,
        /a loopback address: add 127\.0\.0\.1 to SLIPWAY_OUTBOUND_ALLOW/,
      )
      await assertNotConnected(fetch, 'http://[fd00::1]/', /a private address: add fd00::1 to/)
      await assertNotConnected(
        fetch,
        'http://169.254.169.254/',
        /a cloud metadata address: add 169\.254\.169\.254/,
      )
      await assertNotConnected(
        fetch,
        'http://0.0.0.0/',
        /unspecified address, to which Slipway never connects/,
      )
      const named = openFetch({ allow: [], ...resolvingTo('10.0.0.5') })
      await assertNotConnected(
        named,
        'http://ollama.lan:11434/',
        /ollama\.lan is not public, so Slipway does not connect to it: add ollama\.lan/,
      )
    })
  })

  describe('addresses that the operator allowed', () => {
    for (const entry of ['127.0.0.1', '127.0.0.0/8', '::ffff:127.0.0.1']) {
      test(`an outbound request to 127.0.0.1 is allowed when the operator lists ${entry}`, async () => {
        const response = await openFetch({ allow: [entry] })(`http://127.0.0.1:${port}/a`, {
          method: 'POST',
          body: 'x',
        })
        assert.equal(await response.text(), 'POST /a')
      })
    }

    test('an outbound allowlist with a host name allows requests to no other host name', async () => {
      const fetch = openFetch({ allow: ['Ollama.lan'], ...resolvingTo('127.0.0.1') })
      assert.equal(await (await fetch(`http://ollama.lan.:${port}/a`)).text(), 'GET /a')
      await assertNotConnected(fetch, `http://other.lan:${port}/`)
      await assertNotConnected(fetch, `http://127.0.0.1:${port}/`)
    })

    test('an outbound allowlist with an origin allows requests to the port of that origin only', async () => {
      const fetch = openFetch({ allow: [`http://127.0.0.1:${port}`] })
      assert.equal(
        await (await fetch(new Request(`http://127.0.0.1:${port}/r`, { method: 'PUT' }))).text(),
        'PUT /r',
      )
      await assertNotConnected(fetch, `http://127.0.0.1:${port + 1}/`)
    })

    test('an outbound allowlist never permits requests to metadata, link-local or other special addresses, whatever it contains', async () => {
      await assertNotConnected(
        openFetch({ allow: ['169.254.0.0/16', '0.0.0.0/0'] }),
        'http://169.254.169.254/',
      )
      await assertNotConnected(openFetch({ allow: ['fd00::/8'] }), 'http://[fd00:ec2::254]/')
      await assertNotConnected(
        openFetch({ allow: ['meta.test'], ...resolvingTo('169.254.169.254') }),
        'http://meta.test/',
      )
      await assertNotConnected(openFetch({ allow: ['fe80::/10'] }), 'http://[fe80::1]/')
      await assertNotConnected(openFetch({ allow: ['0.0.0.0', '0.0.0.0/0'] }), `http://0.0.0.0:${port}/`)
      await assertNotConnected(openFetch({ allow: ['::/0'] }), `http://[64:ff9b::7f00:1]:${port}/`)
    })
  })

  describe('responses are bounded', () => {
    test('an outbound request returns a redirect and does not follow it', async () => {
      const response = await openFetch({ allow: ['127.0.0.1'] })(`http://127.0.0.1:${port}/redirect`, {
        redirect: 'follow',
      })
      assert.equal(response.status, 302)
    })

    test('an outbound response over the size limit is cut off', async () => {
      const response = await openFetch({ allow: ['127.0.0.1'], maxBytes: 1000 })(
        `http://127.0.0.1:${port}/long`,
      )
      await assert.rejects(response.text())
    })

    test('an outbound response of a few bytes that decompress to more than the size limit is cut off', async () => {
      const fetch = openFetch({ allow: ['127.0.0.1'], maxBytes: 1_000_000 })
      const response = await fetch(`http://127.0.0.1:${port}/packed`)
      await assert.rejects(response.text(), /more than 1000000 bytes/)
    })

    test('an outbound response with a status that no server should send can be read', async () => {
      const response = await openFetch({ allow: ['127.0.0.1'] })(`http://127.0.0.1:${port}/odd`)
      assert.deepEqual([response.ok, await response.text()], [false, 'odd'])
    })

    test('an outbound request ends when the server does not respond in time or the caller aborts it', async () => {
      const impatient = openFetch({ allow: ['127.0.0.1'], totalTimeoutMs: 20 })
      await assert.rejects(impatient(`http://127.0.0.1:${port}/silent`), { name: 'TimeoutError' })
      const fetch = openFetch({ allow: ['127.0.0.1'] })
      const aborted = fetch(`http://127.0.0.1:${port}/silent`, { signal: AbortSignal.abort() })
      await assert.rejects(aborted, { name: 'AbortError' })
    })
  })

  describe('an entered address is checked like a connection to it', () => {
    const refusalFor = (url: string, allow: string[], ...addresses: string[]) =>
      refusalOfUrl(new URL(url), allow, resolvingTo(...addresses).lookup)

    test('a host name that a person enters is refused when any of its addresses is private', async () => {
      for (const inside of ['10.0.0.1', '::1', '169.254.169.254', '0.0.0.0']) {
        const refusal = (await refusalFor('https://a.test/', [], '8.8.8.8', inside)) ?? ''
        assert.match(refusal, /^a\.test is not public, so Slipway does not connect to it/)
        assert.ok(!refusal.includes(inside), refusal)
      }
      assert.match((await refusalFor('http://127.1:80/', [])) ?? '', /127\.0\.0\.1 is a loopback address/)
      assert.equal(await refusalFor('https://a.test/', [], '8.8.8.8'), null)
      assert.equal(await refusalFor('https://a.test/', ['a.test'], '10.0.0.1'), null)
      assert.equal(await refusalFor('https://a.test/', ['https://a.test'], '10.0.0.1'), null)
      assert.notEqual(await refusalFor('https://a.test:8443/', ['https://a.test'], '10.0.0.1'), null)
    })

    test('a host name that a person enters is accepted when it does not resolve', async () => {
      const failingLookup = () => Promise.reject(new Error('ENOTFOUND'))
      assert.equal(await refusalOfUrl(new URL('https://a.test/'), [], failingLookup), null)
    })
  })
})
