import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageAddress } from './preview-address.ts'

const HOME = 'http://p-preview.a.localhost:4320/'

test('a path typed above the preview opens that page of the app', () => {
  assert.equal(pageAddress(HOME, ''), HOME)
  assert.equal(pageAddress(HOME, '/plants?room=2#late'), `${HOME}plants?room=2#late`)
  assert.equal(pageAddress(HOME, ' plants '), `${HOME}plants`)
})

test('no text typed above the preview opens another host', () => {
  for (const path of ['//evil.test', '/\\evil.test', '//evil.test:99999'])
    assert.equal(new URL(pageAddress(HOME, path)).host, new URL(HOME).host)
  assert.equal(pageAddress(HOME, 'https://evil.test/x'), `${HOME}https://evil.test/x`)
})
