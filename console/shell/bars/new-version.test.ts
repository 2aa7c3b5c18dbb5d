import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { entryScript } from './new-version.ts'

test("the URL of the console's entry script, which differs between builds, is read from its HTML", () => {
  const page = (hash: string) =>
    `<head><script src="/_console/assets/theme-1.js"></script>
     <script type="module" crossorigin nonce="n" src="/_console/assets/index-${hash}.js"></script></head>`
  assert.equal(entryScript(page('a1')), '/_console/assets/index-a1.js')
  assert.notEqual(entryScript(page('a1')), entryScript(page('b2')))
})

test("the entry script is found in the console's current HTML file", () => {
  assert.ok(entryScript(readFileSync(new URL('../../index.html', import.meta.url), 'utf8')))
})

test('no entry script is found in the HTML of another server, such as the error page of a proxy', () => {
  assert.equal(entryScript('<h1>502 Bad Gateway</h1>'), null)
})
