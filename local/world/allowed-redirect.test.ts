import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllowedRedirect } from './allowed-redirect.ts'

test('a sign-in at a stand-in redirects only to this machine or to the origin of the service', () => {
  const base = 'https://slipway.example.test:8443/somewhere'
  for (const [uri, baseUrl, isAllowed] of [
    ['http://localhost:1234/callback', null, true],
    ['http://127.0.0.1/callback', null, true],
    ['http://[::1]:80/callback?a=b', null, true],
    ['HTTP://LOCALHOST/callback', null, true],
    ['https://slipway.example.test:8443/callback', base, true],
    ['https://slipway.example.test:8443/callback', null, false],
    ['https://slipway.example.test/callback', base, false],
    ['http://slipway.example.test:8443/callback', base, false],
    ['https://slipway.example.test:8443@evil.test/', base, false],
    ['https://slipway.example.test.evil.test:8443/', base, false],
    ['http://localhost@evil.test/', null, false],
    ['http://localhost.evil.test/', null, false],
    ['http://evil.test/?localhost', null, false],
    ['ftp://localhost/', null, false],
    ['javascript://localhost/%0aalert(1)', null, false],
    ['//localhost/callback', null, false],
    ['/callback', base, false],
    ['', base, false],
  ] as const)
    assert.equal(isAllowedRedirect(uri, baseUrl), isAllowed, uri)
})
