import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { languageOf } from './language.ts'

describe('the language of a file', () => {
  test('the language of a file follows its extension, in lower or upper case', () => {
    assert.equal(languageOf('pages/Home.tsx'), 'tsx')
    assert.equal(languageOf('styles/APP.CSS'), 'css')
    assert.equal(languageOf('server/routes.ts'), 'typescript')
    assert.equal(languageOf('index.html'), 'html')
    assert.equal(languageOf('app.json'), 'json')
    assert.equal(languageOf('docs.d/README.md'), 'markdown')
  })

  test('a file without an extension, or with an unknown one, is plain text', () => {
    for (const path of ['LICENSE', 'a.ts/notes', '.env', 'data.csv', '', 'x.constructor'])
      assert.equal(languageOf(path), null, path)
  })
})
