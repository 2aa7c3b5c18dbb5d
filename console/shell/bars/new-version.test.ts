import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { entryOf } from './new-version.ts'

test('the script a page starts with tells one build from another', () => {
  const page = (hash: string) =>
    `<head><script src="/_console/assets/theme-1.js"></script>
     <script type="module" crossorigin nonce="n" src="/_console/assets/index-${hash}.js"></script></head>`
  assert.equal(entryOf(page('a1')), '/_console/assets/index-a1.js')
  assert.notEqual(entryOf(page('a1')), entryOf(page('b2')))
})

test('the page is written in the form that is read', () => {
  assert.ok(entryOf(readFileSync(new URL('../../index.html', import.meta.url), 'utf8')))
})

test('the page of somebody else, such as a proxy, has none', () => {
  assert.equal(entryOf('<h1>502 Bad Gateway</h1>'), null)
})
