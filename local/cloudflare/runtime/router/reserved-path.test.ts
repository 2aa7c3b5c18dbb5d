import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReservedPath } from './reserved-path.ts'

test('every encoding of a path below /cdn-cgi/ is recognized as reserved', () => {
  const spellings = [
    '/cdn-cgi/x',
    '/CDN-CGI/x',
    '//cdn-cgi/',
    '/./cdn-cgi/x',
    '/a/../cdn-cgi',
    '/%63dn-cgi/',
    '/%2563dn-cgi',
  ]
  for (const path of [...spellings, '/cdn-cgi%2Fx', '\\cdn-cgi\\x', '/cdn-cgi?x', '/__cf_local/stream']) {
    assert.equal(isReservedPath(path), true, path)
  }
})

test('a path below /cdn-cgi/ is recognized in a proxy request, which contains the whole URL', () => {
  for (const url of [
    'http://shop.localhost/cdn-cgi/x',
    'HTTP://a:1/%63dn-cgi/x',
    'https://a//cdn-cgi',
    'x://a\\cdn-cgi',
  ])
    assert.equal(isReservedPath(url), true, url)
  for (const url of ['http://cdn-cgi/x', 'http://a', 'http://a/?to=http://a/cdn-cgi/', '/http://a/cdn-cgi/'])
    assert.equal(isReservedPath(url), false, url)
})

test('paths that are not below /cdn-cgi/ are not reserved', () => {
  for (const path of ['/', '/cdn-cgi-not', '/a/cdn-cgi/x', '/?next=/cdn-cgi/', '/%', '/cdn-cg']) {
    assert.equal(isReservedPath(path), false, path)
  }
})
