import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Hono } from 'hono'
import { GithubFailure } from '../context.ts'
import { requestedPage } from './page.ts'

const ITEMS = Array.from({ length: 250 }, (_, n) => n)

describe('pages of lists at the local code host', () => {
  const app = new Hono()
    .get('/all', (c) => c.json(requestedPage(c, ITEMS)))
    .get('/none', (c) => c.json(requestedPage(c, [])))
    .get('/two', (c) => c.json(requestedPage(c, [1, 2])))
  app.onError((error, c) => c.text(error.message, error instanceof GithubFailure ? 422 : 500))

  /** Returns the items, and the query of each linked page by link relation. */
  const read = async (path: string) => {
    const answer = await app.request(`http://github.test${path}`)
    const links = [...(answer.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)]
    return {
      status: answer.status,
      items: answer.status === 200 ? ((await answer.json()) as number[]) : [],
      links: Object.fromEntries(links.map(([, url = '', rel = '']) => [rel, new URL(url).search])),
    }
  }

  test('following the Link headers of a list reads every item once and in order', async () => {
    const seen: number[] = []
    for (let path: string | null = '/all?per_page=70'; path !== null;) {
      const { items, links } = await read(path)
      seen.push(...items)
      path = links['next'] === undefined ? null : `/all${links['next']}`
    }
    assert.deepEqual(seen, ITEMS)
  })

  test('every page of a list, and a page after the last, has the same Link header as at GitHub', async () => {
    const query = (number: number) => `?per_page=100&page=${number}`
    const linksOf = async (number: number) => (await read(`/all${query(number)}`)).links
    assert.deepEqual(
      [await linksOf(1), await linksOf(2), await linksOf(3), await linksOf(9)],
      [
        { next: query(2), last: query(3) },
        { prev: query(1), next: query(3), last: query(3), first: query(1) },
        { prev: query(2), first: query(1) },
        { prev: query(3), first: query(1) },
      ],
    )
  })

  test('a list that fits on one page or is empty has no Link header', async () => {
    assert.deepEqual(await read('/two?per_page=2'), { status: 200, items: [1, 2], links: {} })
    assert.deepEqual((await read('/none')).links, {})
    assert.deepEqual(await read('/none?per_page=1&page=1'), { status: 200, items: [], links: {} })
  })

  test('a page of a GitHub list has 30 items by default and at most 100', async () => {
    const sizes = await Promise.all(['', '?per_page=5', '?per_page=101'].map((query) => read(`/all${query}`)))
    assert.deepEqual(
      sizes.map(({ items }) => items.length),
      [30, 5, 100],
    )
  })

  test('a page number or page size of a GitHub list that is not a whole number above 0 is refused', async () => {
    for (const query of ['page=0', 'page=-1', 'page=1.5', 'page=x', 'page=', 'per_page=0', 'per_page=NaN'])
      assert.equal((await read(`/all?${query}`)).status, 422, query)
  })
})
