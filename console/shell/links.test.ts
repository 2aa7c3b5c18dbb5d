import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pathInConsole } from './links.ts'

const currentUrl = new URL('https://slipway.test/projects/prj_1/code?path=a.ts')
const placeOfLink = (link: string) => pathInConsole(new URL(link, currentUrl), currentUrl)

describe('a link of the console', () => {
  test('a link to a page of the console resolves to its path, search and fragment', () => {
    assert.equal(placeOfLink('/projects'), '/projects')
    assert.equal(placeOfLink('/projects/prj_1/code?path=b.ts#L5-L8'), '/projects/prj_1/code?path=b.ts#L5-L8')
    assert.equal(placeOfLink('/projects/prj_2/code?path=a.ts#L5'), '/projects/prj_2/code?path=a.ts#L5')
  })

  test('a link within the page or to a path outside the console is left to the browser', () => {
    for (const link of ['#content', 'https://example.test/projects', '/docs', '/api/v1/projects', '/i/abc'])
      assert.equal(placeOfLink(link), null, link)
  })
})
