import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageAddress } from './preview-address.ts'

const PREVIEW_URL = 'http://p-preview.a.localhost:4320/'

test('a path typed above the preview opens that page of the app', () => {
  assert.equal(pageAddress(PREVIEW_URL, ''), PREVIEW_URL)
  assert.equal(pageAddress(PREVIEW_URL, '/plants?room=2#late'), `${PREVIEW_URL}plants?room=2#late`)
  assert.equal(pageAddress(PREVIEW_URL, ' plants '), `${PREVIEW_URL}plants`)
})

test('no text typed above the preview opens another host than the host of the preview', () => {
  for (const path of ['//evil.test', '/\\evil.test', '//evil.test:99999'])
    assert.equal(new URL(pageAddress(PREVIEW_URL, path)).host, new URL(PREVIEW_URL).host)
  assert.equal(pageAddress(PREVIEW_URL, 'https://evil.test/x'), `${PREVIEW_URL}https://evil.test/x`)
})
