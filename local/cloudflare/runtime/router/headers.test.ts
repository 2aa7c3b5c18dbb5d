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

test('headers with a forged client address and internal headers of Miniflare are removed, and the real client address is set', () => {
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

test('a list of trusted proxies with an entry that is neither an IP address nor a range is rejected', () => {
  assert.throws(() => trustedPeers(['proxy.example']), /is no address and no range/)
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
