import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Hono } from 'hono'
import { enableCapabilities, importInWorkerd, workerEnv } from '../kernel/objects/workerd.test.fixture.ts'
import { manifest, manifestHash } from '../manifest.gen.ts'

const ORIGIN = 'https://shop.example.com'
const SESSION = `u_${'a'.repeat(26)}.s1.secret`
const importMount = () =>
  importInWorkerd(async () => {
    const [{ mount }, { errorResponse }] = await Promise.all([
      import('./mount.ts'),
      import('../kernel/worker/envelope.ts'),
    ])
    return { mount, errorResponse }
  })

describe('the HTTP routes of the records of an app', () => {
  let app: Hono
  let calls: { caller: unknown; request: object }[]
  let sockets: { url: string; headers: Headers }[]
  let prepared: unknown[]
  /** The answers of the live worker, in order. The last one repeats. */
  let answers: object[]
  let socketStatus: number[]
  before(async () => {
    const { mount, errorResponse } = await importMount()
    app = new Hono()
    app.onError((error, c) => errorResponse(error, c.req.path))
    app.route('/_app/data', mount.routes)
    manifest.collections['diaries'] = {
      title: 'Diaries',
      partition: 'user',
      read: 'members',
      write: 'members',
      fields: {},
    }
  })
  beforeEach(() => {
    calls = []
    sockets = []
    prepared = []
    answers = [{ ok: true, value: 'found' }]
    socketStatus = [200]
    enableCapabilities('data', 'auth')
    workerEnv['LIVE'] = {
      data: async (hash: string, caller: unknown, request: object) => {
        assert.equal(hash, manifestHash)
        calls.push({ caller, request })
        return JSON.stringify(answers.length > 1 ? answers.shift() : answers[0])
      },
      prepare: async (...given: unknown[]) => void prepared.push(given),
      fetch: async (request: Request) => {
        sockets.push({ url: request.url, headers: request.headers })
        return new Response(null, {
          status: (socketStatus.length > 1 ? socketStatus.shift() : socketStatus[0]) ?? 200,
        })
      },
    }
  })
  after(() => {
    enableCapabilities()
    delete workerEnv['LIVE']
    delete manifest.collections['diaries']
  })

  async function ask(path: string, init: RequestInit = {}) {
    const response = await app.fetch(new Request(`${ORIGIN}/_app/data${path}`, init))
    return [response.status, await response.json()] as const
  }
  const post = (body: unknown) =>
    ask('/mutate', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })
  const requests = () => calls.splice(0).map(({ request }) => request)
  const invalid = (field: string, problem: string) => [
    400,
    { ok: false, error: { code: 'invalid_request', message: `${field}: ${problem}`, field } },
  ]
  const OK = [200, { ok: true, data: 'found' }]

  test('the data routes for a list, a count, a record and a search pass the URL parameters to the live worker', async () => {
    const where = encodeURIComponent('{"done":false}')
    for (const path of [
      '/notes',
      `/notes?where=${where}&sort=-createdAt&limit=5&cursor=c&partition=t_1`,
      `/notes/count?where=${where}`,
      '/notes/abcdefgh?partition=t_1',
      '/search?collection=notes&q=fern%20tree&partition=t_1',
    ])
      assert.deepEqual(await ask(path), OK, path)
    const none = { where: undefined, sort: undefined, limit: undefined, cursor: undefined }
    assert.deepEqual(requests(), [
      { kind: 'list', collection: 'notes', query: none },
      {
        kind: 'list',
        collection: 'notes',
        query: { where: { done: false }, sort: '-createdAt', limit: 5, cursor: 'c' },
        partition: 't_1',
      },
      { kind: 'count', collection: 'notes', where: { done: false } },
      { kind: 'get', collection: 'notes', id: 'abcdefgh', partition: 't_1' },
      { kind: 'search', collection: 'notes', q: 'fern tree', partition: 't_1' },
    ])
  })

  test("a request for a personal collection uses the caller's partition, unless the request names another partition", async () => {
    await ask('/diaries')
    await ask('/diaries/abcdefgh?partition=u_1')
    await post({ mutationId: 'm1', ops: [{ op: 'create', collection: 'diaries', fields: {} }] })
    await ask('/toString')
    assert.deepEqual(
      requests().map((one) => Reflect.get(one, 'partition') as unknown),
      ['own', 'u_1', 'own', undefined],
    )
  })

  test('only the session cookie identifies the caller of a data route, and a caller without the cookie is a visitor', async () => {
    await ask('/notes', { headers: { cookie: `__Host-app_session=${SESSION}` } })
    await ask('/notes', { headers: { 'slipway-caller': SESSION } })
    assert.deepEqual(
      calls.map(({ caller }) => caller),
      [{ session: SESSION }, 'anonymous'],
    )
  })

  test('a record query with a repeated URL parameter, or with a condition that is not a JSON object, is refused', async () => {
    for (const name of ['where', 'sort', 'limit', 'cursor', 'partition'])
      assert.deepEqual(await ask(`/notes?${name}=1&${name}=2`), invalid(name, 'must be given once'))
    assert.deepEqual(await ask('/search?q=a&q=b'), invalid('q', 'must be given once'))
    for (const where of ['', '[]', 'null', '5', '"text"', '{', '{"a":'])
      assert.deepEqual(
        await ask(`/notes?where=${encodeURIComponent(where)}`),
        invalid('where', 'must be a JSON object'),
      )
    assert.deepEqual(calls, [])
  })

  test('a write of records is passed to the live worker with its id, its operations and its partition', async () => {
    const ops = [{ op: 'create', collection: 'notes', fields: { text: 'Hi' } }]
    assert.deepEqual(await post({ mutationId: 'm1', ops }), OK)
    assert.deepEqual(await post({ mutationId: 'm1', ops, partition: 't_1' }), OK)
    assert.deepEqual(await post({ mutationId: 'm1', ops, partition: null }), OK)
    const write = { kind: 'mutate', mutationId: 'm1', ops }
    assert.deepEqual(requests(), [write, { ...write, partition: 't_1' }, write])
  })

  test('a write whose partition is not text is refused, and nothing is written to another partition', async () => {
    const ops = [{ op: 'create', collection: 'notes', fields: {} }]
    for (const partition of [5, true, {}, ['t_1']])
      assert.deepEqual(await post({ mutationId: 'm1', ops, partition }), invalid('partition', 'must be text'))
    assert.deepEqual(calls, [])
  })

  test('a write of records whose body is not a JSON object, or is nested too deeply, is refused', async () => {
    const deep = '{"a":'.repeat(200) + '1' + '}'.repeat(200)
    for (const [body, message] of [
      ['', 'body: is not JSON'],
      ['{', 'body: is not JSON'],
      ['[]', 'body: must be an object'],
      ['null', 'body: must be an object'],
      [deep, 'body: is nested too deeply'],
    ] as const)
      assert.deepEqual(await post(body), [
        400,
        { ok: false, error: { code: 'invalid_request', message, field: 'body' } },
      ])
    assert.deepEqual(calls, [])
  })

  test('a write whose operations are not a list is passed on unchanged, because the live worker validates it', async () => {
    const noText = { toString: null, valueOf: null }
    for (const ops of [undefined, null, 'text', {}, [], [null], [{ collection: noText }]]) {
      assert.deepEqual(await post({ mutationId: 'm1', ops }), OK)
      assert.deepEqual(requests(), [{ kind: 'mutate', mutationId: 'm1', ops }])
    }
  })

  test('a data request to a live worker that does not know the release is repeated once after the manifest was sent', async () => {
    answers = [
      { ok: false, unprepared: true },
      { ok: true, value: 'found' },
    ]
    assert.deepEqual(await ask('/notes'), OK)
    assert.deepEqual([prepared, calls.length], [[[manifestHash, manifest]], 2])
    answers = [{ ok: false, unprepared: true }]
    const message = 'The data is not ready yet.'
    assert.deepEqual(await ask('/notes'), [503, { ok: false, error: { code: 'unavailable', message } }])
    assert.equal(calls.length, 4)
  })

  test('a data route returns an error of the live worker with its status and field', async () => {
    const error = { code: 'conflict', message: 'rev: is not the newest', field: 'rev' }
    answers = [{ ok: false, error }]
    assert.deepEqual(await post({ mutationId: 'm1', ops: [] }), [409, { ok: false, error }])
  })

  test('a records WebSocket is opened for the person of the session, even if a header names another caller', async () => {
    const open = (headers: Record<string, string>) => {
      const request = new Request(`${ORIGIN}/_app/data/socket?data=notes`, {
        headers: { upgrade: 'WebSocket', ...headers },
      })
      return app.fetch(request)
    }
    await open({ cookie: `__Host-app_session=${SESSION}`, 'slipway-caller': 'someone' })
    await open({ 'slipway-caller': SESSION, 'slipway-manifest': 'other' })
    assert.deepEqual(
      sockets.map(({ url, headers }) => [
        url,
        headers.get('slipway-caller'),
        headers.get('slipway-manifest'),
      ]),
      [
        [`${ORIGIN}/_app/data/socket?data=notes`, SESSION, manifestHash],
        [`${ORIGIN}/_app/data/socket?data=notes`, null, manifestHash],
      ],
    )
  })

  test('a WebSocket request to a live worker that does not know the release is repeated once after the manifest was sent', async () => {
    const open = async () =>
      (await app.fetch(new Request(`${ORIGIN}/_app/data/socket`, { headers: { upgrade: 'websocket' } })))
        .status
    socketStatus = [409, 200]
    assert.deepEqual([await open(), prepared.length], [200, 1])
    socketStatus = [409]
    assert.deepEqual([await open(), prepared.length, sockets.length], [409, 2, 4])
    socketStatus = [403]
    assert.deepEqual([await open(), prepared.length], [403, 2])
  })

  test('a request for a records WebSocket without an Upgrade header is refused', async () => {
    const message = 'Upgrade: must be websocket'
    assert.deepEqual(await ask('/socket'), [400, { ok: false, error: { code: 'invalid_request', message } }])
    assert.deepEqual(sockets, [])
  })
})
