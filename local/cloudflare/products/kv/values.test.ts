import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud } from '../../../testing/cloud.ts'

describe('values of a KV namespace over REST', () => {
  let cloud: TestCloud
  let namespace: string
  let asked: { params: Record<string, string>; method: string; body: string }[]
  /** The response of the process that has the namespace open. */
  let found: Response
  beforeEach(async () => {
    cloud = testCloud()
    asked = []
    found = Response.json(null)
    const made = await cloud.call('POST', '/A/storage/kv/namespaces', { title: 'sessions' })
    namespace = (made.result as { id: string }).id
    cloud.data.request = async (_resource, params, init?: RequestInit) => {
      const { method = 'GET', body } = init ?? {}
      asked.push({ params, method, body: await new Response(body ?? null).text() })
      return found.clone()
    }
  })
  afterEach(() => cloud.close())

  const pathOf = (path: string) => `/A/storage/kv/namespaces/${namespace}${path}`
  const call = async (method: string, path: string, body?: object) => {
    const answer = await cloud.call(method, pathOf(path), body)
    return answer.success ? answer.result : [answer.status, answer.errors[0]?.code, answer.errors[0]?.message]
  }
  const putValue = async (path: string, body: string | FormData, headers?: Record<string, string>) => {
    const response = await cloud.send(pathOf(path), { method: 'PUT', body, ...(headers && { headers }) })
    const { success, errors } = (await response.json()) as { success: boolean; errors: { code: number }[] }
    return success ? response.status : [response.status, errors[0]?.code]
  }
  const form = (parts: Record<string, string | File>) => {
    const made = new FormData()
    for (const [name, part] of Object.entries(parts)) made.set(name, part)
    return made
  }

  test("a KV value is stored from the body's bytes, under the URL-decoded key, with the expiry in the query", async () => {
    assert.equal(await putValue('/values/a%2Fb%20%C3%A4?expiration_ttl=60', 'hello'), 200)
    assert.deepEqual(asked, [
      { params: { key: 'a/b ä', options: '{"expiration_ttl":60}' }, method: 'PUT', body: 'hello' },
    ])
  })

  test('a multipart form stores a KV value and its metadata, each sent as a text field or a file', async () => {
    const file = (text: string) => new File([text], 'x')
    for (const body of [
      form({ value: 'hello', metadata: '{"a":1}' }),
      form({ value: file('hello'), metadata: file('{"a":1}') }),
    ])
      assert.equal(await putValue('/values/x', body), 200)
    assert.equal(await putValue('/values/x', form({ value: '' })), 200)
    assert.deepEqual(
      asked.map(({ params, body }) => [params['options'], body]),
      [
        ['{"metadata":{"a":1}}', 'hello'],
        ['{"metadata":{"a":1}}', 'hello'],
        ['{}', ''],
      ],
    )
  })

  test('a KV form without a value, with metadata that is not JSON, or with a broken body stores nothing', async () => {
    assert.deepEqual(
      [
        await putValue('/values/x', form({ metadata: '{}' })),
        await putValue('/values/x', form({ value: 'v', metadata: '{' })),
        await putValue('/values/x', 'broken', { 'content-type': 'multipart/form-data; boundary=x' }),
        await putValue('/values/x', 'broken', { 'content-type': 'multipart/form-data' }),
        await putValue('/values/x?expiration=soon', 'v'),
      ],
      [
        [400, 10012],
        [400, 10012],
        [400, 10001],
        [400, 10001],
        [400, 10001],
      ],
    )
    assert.deepEqual(asked, [])
  })

  test('a KV value and its metadata have separate paths, which both return 404 for a missing key', async () => {
    const metadata = { name: 'ä' }
    const headers = { 'slipway-metadata': encodeURIComponent(JSON.stringify(metadata)) }
    found = new Response('hello', { headers })
    const response = await cloud.send(pathOf('/values/x'), { method: 'GET' })
    assert.deepEqual(
      [response.status, [...response.headers], await response.text()],
      [200, [['content-type', 'application/octet-stream']], 'hello'],
    )
    assert.deepEqual(await call('GET', '/metadata/x'), metadata)
    found = new Response(null, { status: 404 })
    for (const path of ['/values/x', '/metadata/x'])
      assert.deepEqual(await call('GET', path), [404, 10009, "get: 'key not found'"])
  })

  test('one request reads many KV values, as strings or JSON, with null for each missing key', async () => {
    const read = (values: (string | null)[]) =>
      Response.json(
        values.map((value, at) => ({ key: `k${at}`, value, metadata: value === null ? null : { at } })),
      )
    const keys = ['k0', 'k1']
    found = read(['{"a":1}', null])
    assert.deepEqual(await call('POST', '/bulk/get', { keys }), { values: { k0: '{"a":1}', k1: null } })
    assert.deepEqual(await call('POST', '/bulk/get', { keys, type: 'json', withMetadata: true }), {
      values: { k0: { value: { a: 1 }, metadata: { at: 0 } }, k1: null },
    })
    found = read(['no json', null])
    assert.deepEqual(await call('POST', '/bulk/get', { keys, type: 'json' }), [400, 10012, 'k0 is not JSON.'])
  })

  test('a bulk KV request reads at most 100 keys, or writes or deletes at most 10,000', async () => {
    found = Response.json([])
    const keys = (count: number) => Array.from({ length: count }, (_, at) => `k${at}`)
    const pairs = (count: number) => keys(count).map((key) => ({ key, value: '' }))
    assert.deepEqual(await call('POST', '/bulk/get', { keys: keys(100) }), { values: {} })
    assert.deepEqual(await call('PUT', '/bulk', pairs(10_000)), {
      successful_key_count: 10_000,
      unsuccessful_keys: [],
    })
    const tooMany = [
      await call('POST', '/bulk/get', { keys: keys(101) }),
      await call('POST', '/bulk/get', { keys: [] }),
      await call('PUT', '/bulk', pairs(10_001)),
      await call('POST', '/bulk/delete', keys(10_001)),
      await call('PUT', '/bulk', [{ key: '', value: '' }]),
    ]
    assert.deepEqual(
      tooMany.map((answer) => (answer as unknown[]).slice(0, 2)),
      Array.from({ length: 5 }, () => [400, 10001]),
    )
    assert.equal(asked.length, 2)
  })

  test('KV keys are deleted in bulk by DELETE /bulk or POST /bulk/delete, and singly by their path', async () => {
    const removed = { successful_key_count: 2, unsuccessful_keys: [] }
    assert.deepEqual(await call('DELETE', '/bulk', ['a', 'b']), removed)
    assert.deepEqual(await call('POST', '/bulk/delete', ['a', 'b']), removed)
    assert.deepEqual(await call('DELETE', '/values/a%2Fb'), null)
    const request = (body: string) => ({ params: { do: 'delete' }, method: 'POST', body })
    assert.deepEqual(asked, [request('["a","b"]'), request('["a","b"]'), request('["a/b"]')])
  })

  test('a page of the list of KV keys has at most a thousand keys, and a cursor only when more keys follow', async () => {
    found = Response.json({ keys: [{ name: 'a' }], cursor: 'next' })
    const first = await cloud.call('GET', pathOf('/keys?limit=1&prefix=p&cursor=c'))
    assert.deepEqual([first.result, first.result_info], [[{ name: 'a' }], { count: 1, cursor: 'next' }])
    found = Response.json({ keys: [], cursor: null })
    const last = await cloud.call('GET', pathOf('/keys'))
    assert.deepEqual([last.result, last.result_info], [[], { count: 0 }])
    assert.deepEqual(
      asked.map(({ params }) => params),
      [
        { do: 'list', limit: '1', prefix: 'p', cursor: 'c' },
        { do: 'list', limit: '1000', prefix: '', cursor: '' },
      ],
    )
    for (const limit of ['0', '1001', 'many'])
      assert.deepEqual(((await call('GET', `/keys?limit=${limit}`)) as unknown[]).slice(0, 2), [400, 10001])
  })

  test("when a KV namespace refuses a request, the namespace's message is returned as the error", async () => {
    found = Response.json({ message: 'Invalid expiration_ttl of 1.' }, { status: 400 })
    const refused = [400, 10001, 'Invalid expiration_ttl of 1.']
    assert.deepEqual(await putValue('/values/x?expiration_ttl=1', 'v'), refused.slice(0, 2))
    for (const [method, path, body] of [
      ['GET', '/values/x', undefined],
      ['DELETE', '/values/x', undefined],
      ['GET', '/keys', undefined],
      ['PUT', '/bulk', [{ key: 'x', value: 'v' }]],
      ['POST', '/bulk/get', { keys: ['x'] }],
    ] as const)
      assert.deepEqual(await call(method, path, body), refused, `${method} ${path}`)
  })
})
