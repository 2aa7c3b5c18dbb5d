import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Hono } from 'hono'
import type { ApiEnv } from './context.ts'
import { failureResponse, isoTime, respondWithList, respondWithPage, respond } from './envelope.ts'
import { ApiFailure } from './failure.ts'

const ITEMS = ['a', 'b', 'c', 'd', 'e']

describe('the envelope of responses', () => {
  const app = new Hono<ApiEnv>()
    .get('/list', (c) => respondWithPage(c, ITEMS))
    .get('/long', (c) =>
      respondWithPage(
        c,
        Array.from({ length: 1001 }, (_, n) => n),
      ),
    )
    .get('/whole', (c) =>
      respondWithList(
        c,
        Array.from({ length: 25 }, (_, n) => n),
      ),
    )
    .get('/none', (c) => respondWithPage(c, []))
    .get('/wrapped', (c) => respondWithPage(c, ITEMS, (items) => ({ items })))
    .get('/one', (c) => respond(c, undefined))
  app.onError((error, c) => {
    if (error instanceof ApiFailure) return failureResponse(c, error)
    throw error
  })
  const read = async (path: string) => {
    const answer = await app.request(path)
    const body = (await answer.json()) as {
      result: unknown
      result_info?: object
      errors: { code: number }[]
    }
    return answer.status === 200 ? body : [answer.status, body.errors[0]?.code]
  }
  const pageOf = async (query: string) => {
    const page = await read(`/list?${query}`)
    return Array.isArray(page) ? page : page.result
  }

  test('the pages of an API list contain each item once, and the page after the last is empty, so that clients stop', async () => {
    const pages = await Promise.all([1, 2, 3, 4, 1e9].map((page) => pageOf(`per_page=2&page=${page}`)))
    assert.deepEqual(pages, [['a', 'b'], ['c', 'd'], ['e'], [], []])
  })

  test('an API list returns the first page for page=0, an empty page parameter and a missing one', async () => {
    for (const query of ['page=0', 'page=', 'page=1', '']) assert.deepEqual(await pageOf(query), ITEMS, query)
  })

  test('the page size of an API list is at least 1 and at most 1000, whatever a client requests', async () => {
    assert.deepEqual(await pageOf('per_page=0'), ['a'])
    const long = await read('/long?per_page=100000')
    assert.ok(!Array.isArray(long))
    assert.equal((long.result as number[]).length, 1000)
  })

  test('a page number or page size of an API list that is negative or not a whole number is refused with 400', async () => {
    for (const query of ['page=-1', 'page=1.5', 'page=x', 'per_page=ten', 'per_page=-5', 'page=1e99x'])
      assert.deepEqual(await pageOf(query), [400, 10001], query)
  })

  test('the result_info of an API list contains the number of items on the page and in the whole list', async () => {
    const infoOf = async (path: string) => {
      const page = await read(path)
      return Array.isArray(page) ? page : page.result_info
    }
    assert.deepEqual(
      [await infoOf('/list?per_page=2&page=3'), await infoOf('/none'), await infoOf('/list?page=9')],
      [
        { page: 3, per_page: 2, count: 1, total_count: 5, total_pages: 3 },
        { page: 1, per_page: 20, count: 0, total_count: 0, total_pages: 0 },
        { page: 9, per_page: 20, count: 0, total_count: 5, total_pages: 1 },
      ],
    )
  })

  test('an API list that the provider does not paginate is returned whole unless the request names a page or page size', async () => {
    const lengthOf = async (query: string) => {
      const answer = await read(`/whole${query}`)
      return Array.isArray(answer) ? answer : (answer.result as unknown[]).length
    }
    assert.deepEqual(
      [await lengthOf(''), await lengthOf('?page=1'), await lengthOf('?page=2'), await lengthOf('?page=3')],
      [25, 20, 5, 0],
    )
    assert.deepEqual([await lengthOf('?per_page=10'), await lengthOf('?page=x')], [10, [400, 10001]])
  })

  test('an API list within an object is split into pages like a list at the top level', async () => {
    const page = await read('/wrapped?per_page=2&page=2')
    assert.ok(!Array.isArray(page))
    assert.deepEqual(page.result, { items: ['c', 'd'] })
  })

  test('isoTime formats a time in UTC with milliseconds', () => {
    assert.equal(isoTime(0), '1970-01-01T00:00:00.000Z')
    assert.equal(isoTime(1_767_225_599_999), '2025-12-31T23:59:59.999Z')
  })
})
