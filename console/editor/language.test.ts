import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { languageOf } from './language.ts'

describe('the language of a file', () => {
  test('follows the end of its name, whatever its case', () => {
    assert.equal(languageOf('pages/Home.tsx'), 'script')
    assert.equal(languageOf('styles/APP.CSS'), 'style')
    assert.equal(languageOf('index.html'), 'page')
    assert.equal(languageOf('app.json'), 'data')
    assert.equal(languageOf('docs.d/README.md'), 'prose')
  })

  test('is plain text without an ending or with an unknown one', () => {
    for (const path of ['LICENSE', 'a.ts/notes', '.env', 'data.csv', '', 'x.constructor'])
      assert.equal(languageOf(path), null, path)
  })
})
