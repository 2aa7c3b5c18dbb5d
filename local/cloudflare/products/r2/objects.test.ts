import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud } from '../../../testing/cloud.ts'
import { r2Source } from './data-module.ts'

describe('objects of an R2 bucket over REST', () => {
  let cloud: TestCloud
  let asked: { params: Record<string, string>; method: string; headers: object; body: string }[]
  /** The response of the process that has the bucket open. */
  let found: Response
  beforeEach(async () => {
    cloud = testCloud()
    asked = []
    found = Response.json({})
    await cloud.call('POST', '/A/r2/buckets', { name: 'photos' })
    cloud.data.request = async (_resource, params, init?: RequestInit) => {
      const { method = 'GET', headers, body } = init ?? {}
      const text = await new Response(body ?? null).text()
      asked.push({ params, method, headers: Object.fromEntries(new Headers(headers)), body: text })
      return found.clone()
    }
  })
  afterEach(() => cloud.close())

  const OBJECTS = '/A/r2/buckets/photos/objects'
  const send = async (
    method: string,
    path: string,
    init: { headers?: Record<string, string>; body?: string } = {},
  ) => {
    const response = await cloud.send(`${OBJECTS}${path}`, { method, ...init })
    return [response.status, await response.text()]
  }
  const failure = (status: number, code: number, message: string) => [
    status,
    JSON.stringify({ success: false, errors: [{ code, message }], messages: [], result: null }),
  ]
  const success = (result: unknown, more: object = {}) => [
    200,
    JSON.stringify({ success: true, errors: [], messages: [], result, ...more }),
  ]

  test('an R2 object is stored under its URL-decoded key, with the metadata in the request headers', async () => {
    const stored = { key: 'a/ä b.txt', size: 5 }
    found = Response.json(stored)
    const headers = { 'content-type': 'text/plain', 'cache-control': 'no-store', 'x-other': '1' }
    assert.deepEqual(await send('PUT', '/a/%C3%A4%20b.txt', { headers, body: 'hello' }), success(stored))
    assert.deepEqual(asked, [
      {
        params: { key: 'a/ä b.txt' },
        method: 'PUT',
        headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
        body: 'hello',
      },
    ])
  })

  test('an R2 object is returned as bytes with its stored headers, and a missing object returns 404', async () => {
    found = new Response('hello', { headers: { 'content-type': 'text/plain', etag: '"1"' } })
    const response = await cloud.send(`${OBJECTS}/x`, { method: 'GET' })
    assert.deepEqual(
      [
        response.status,
        response.headers.get('content-type'),
        response.headers.get('etag'),
        await response.text(),
      ],
      [200, 'text/plain', '"1"', 'hello'],
    )
    found = new Response(null, { status: 404 })
    assert.deepEqual(await send('GET', '/x'), failure(404, 10007, 'The specified key does not exist.'))
  })

  test('a list of R2 objects has the prefixes at the delimiter, and a cursor only when more objects follow', async () => {
    found = Response.json({ objects: [{ key: 'a' }], prefixes: ['b/'], cursor: 'next' })
    assert.deepEqual(
      await send('GET', '?prefix=p&per_page=1&delimiter=%2F&key=ignored'),
      success([{ key: 'a' }], { result_info: { is_truncated: true, delimited: ['b/'], cursor: 'next' } }),
    )
    assert.deepEqual(asked[0]?.params, { prefix: 'p', per_page: '1', delimiter: '/' })
    found = Response.json({ objects: [], prefixes: [], cursor: null })
    assert.deepEqual(
      await send('GET', ''),
      success([], { result_info: { is_truncated: false, delimited: [] } }),
    )
  })

  test('the message of an R2 bucket that refuses a request is returned as an error, never as content', async () => {
    const message = 'The specified object name is not valid.'
    const refused = failure(400, 10020, message)
    found = Response.json({ message }, { status: 400 })
    for (const [method, path] of [
      ['PUT', '/x'],
      ['GET', '/x'],
      ['DELETE', '/x'],
      ['GET', '?per_page=many'],
    ] as const)
      assert.deepEqual(await send(method, path), refused, `${method} ${path}`)
  })

  test('deleting an R2 object returns its key, and a request to an unknown bucket returns 404', async () => {
    found = new Response(null)
    assert.deepEqual(await send('DELETE', '/a%2Fb'), success({ key: 'a/b' }))
    assert.deepEqual(asked, [{ params: { key: 'a/b' }, method: 'DELETE', headers: {}, body: '' }])
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await cloud.call(method, '/A/r2/buckets/none/objects/x')
      assert.deepEqual([answer.status, answer.errors[0]?.code], [404, 10006])
    }
    assert.equal(asked.length, 1)
  })

  test('deleting R2 objects without a key in the path deletes the keys in the body, even keys that a path cannot contain', async () => {
    found = new Response(null)
    const keys = ['.', '..', 'a/../b']
    assert.deepEqual(
      await send('DELETE', '', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(keys),
      }),
      success(keys.map((key) => ({ key }))),
    )
    assert.deepEqual(
      asked.map(({ params, method }) => [method, params['key']]),
      keys.map((key) => ['DELETE', key]),
    )
  })

  test('listing R2 objects passes on the options of the request, except empty ones', async () => {
    const { default: answer } = await import(`data:text/javascript,${encodeURIComponent(r2Source)}`)
    const asked: object[] = []
    const bucket = {
      list: async (options: object) => {
        asked.push(options)
        return { objects: [], delimitedPrefixes: [], truncated: false }
      },
    }
    const list = (query: string) =>
      answer(bucket, new Request('http://data/'), new URLSearchParams(query)) as Promise<Response>
    await list('start_after=a%20b&per_page=5&prefix=x%2F&delimiter=%2F&cursor=c')
    await list('start_after=&prefix=')
    const include = ['httpMetadata', 'customMetadata']
    assert.deepEqual(asked, [
      { limit: 5, include, prefix: 'x/', cursor: 'c', delimiter: '/', startAfter: 'a b' },
      { limit: 1000, include },
    ])
  })
})
