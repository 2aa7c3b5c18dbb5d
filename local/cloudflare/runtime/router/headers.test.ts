import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { requestHeaders, responseHeaders, trustedPeers } from './headers.ts'

function headersOf(remoteAddress: string, headers: Record<string, string>, trusted: string[] = []) {
  const req = { socket: { remoteAddress }, headers, rawHeaders: Object.entries(headers).flat() }
  const flat = requestHeaders(req as unknown as IncomingMessage, trustedPeers(trusted), {
    keepUpgrade: false,
  })
  const pairs = flat.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), flat[i + 1] ?? '']] : []))
  return Object.fromEntries(pairs) as Record<string, string>
}

test("a request's forged client address and internal Miniflare headers are removed, and the real address is set", () => {
  const forged = {
    'cf-connecting-ip': '6.6.6.6',
    'x-forwarded-for': '6.6.6.6',
    'x-forwarded-proto': 'https',
    'x-real-ip': '6.6.6.6',
    'mf-original-url': 'http://x',
    'cf-ray': 'forged',
    connection: 'close',
    accept: 'text/html',
  }
  const got = headersOf('::ffff:10.1.1.1', forged)
  assert.equal(got['cf-connecting-ip'], '10.1.1.1')
  assert.equal(got['x-forwarded-proto'], 'http')
  assert.equal(got['accept'], 'text/html')
  assert.match(got['cf-ray'] ?? '', /^[0-9a-f]{16}-LOC$/)
  assert.ok(!('mf-original-url' in got) && !('connection' in got))
})

test('the client address that a trusted proxy forwards is used unless it is malformed', () => {
  const said = { 'x-forwarded-for': '6.6.6.6, 8.8.8.8', 'x-forwarded-proto': 'https' }
  const got = headersOf('10.1.1.1', said, ['10.0.0.0/8'])
  assert.deepEqual([got['cf-connecting-ip'], got['x-forwarded-proto']], ['8.8.8.8', 'https'])
  assert.equal(
    headersOf('10.1.1.1', { 'x-forwarded-for': 'me' }, ['10.0.0.0/8'])['cf-connecting-ip'],
    '10.1.1.1',
  )
})

test('a malformed entry in the list of trusted proxies is rejected, and not read as a larger range', () => {
  const wrong = [
    'proxy.example',
    '',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8.5',
    '10.0.0.0/x',
    '10.0.0.0/8/8',
    '::1/129',
    '10.0.0',
  ]
  for (const entry of wrong)
    assert.throws(() => trustedPeers(['10.1.1.1', entry]), /is no address and no range/, entry)
})

test('a range of trusted proxies matches only its own addresses, and their IPv6-mapped form', () => {
  const isTrusted = trustedPeers(['10.1.0.0/16', '192.0.2.1', 'fd00::/8'])
  const trusted = ['10.1.0.0', '10.1.255.255', '::ffff:10.1.2.3', '192.0.2.1', 'fd12::1']
  const others = ['10.2.0.0', '10.0.255.255', '192.0.2.2', 'fe80::1', '::1', '127.0.0.1']
  assert.deepEqual([...trusted, ...others].filter(isTrusted), trusted)
  const none = trustedPeers([])
  assert.deepEqual([...trusted, ...others].filter(none), [])
  assert.ok(
    trustedPeers(['0.0.0.0/0'])('203.0.113.9'),
    'a range of all addresses is possible, when it is meant',
  )
})

test('repeated response headers are kept, and hop-by-hop headers are removed', () => {
  const raw = [
    'Set-Cookie',
    'a=1',
    'Set-Cookie',
    'b=2',
    'Connection',
    'keep-alive',
    'Transfer-Encoding',
    'chunked',
  ]
  assert.deepEqual(responseHeaders(raw), ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'])
})
