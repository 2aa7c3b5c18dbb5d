import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopbackHost } from './loopback.ts'

test('localhost, 127.0.0.1 and ::1 count as loopback, but not app.localhost, where an app is served, nor 127.0.0.2', () => {
  const isLoopback = (url: string) => isLoopbackHost(new URL(url).hostname)
  for (const url of ['http://localhost:4300', 'http://127.0.0.1', 'http://[::1]:80', 'http://[0:0::1]'])
    assert.ok(isLoopback(url), url)
  for (const url of ['http://app.localhost:4320', 'http://127.0.0.2', 'https://localhost.example'])
    assert.ok(!isLoopback(url), url)
})
