import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createApp } from '../../app.ts'
import { ENDPOINTS } from '../../tables/endpoints.ts'
import { type Client, testApp, type TestApp } from '../../testing/app.ts'
import { liftRouteLimits } from '../../testing/route-limits.ts'
import type { Endpoint } from '../endpoint.ts'
import { createLimits } from '../limits/limits.ts'
import { bySpecificity } from '../mount.ts'

describe('the endpoint table', () => {
  let app: TestApp
  let owner: Client
  let projectId: string

  before(async () => {
    app = await testApp({ limits: { keyPerMinute: 1e6, sessionPerMinute: 1e6, addressPerMinute: 1e6 } })
    owner = await app.signUp('Olga Owner')
    liftRouteLimits(app)
    projectId = (await owner.call<{ id: string }>('POST /projects', { name: 'Contract' })).data.id
  })
  after(() => app.close())

  const routeWithId = (endpoint: Endpoint, id: string) =>
    `${endpoint.method} ${endpoint.path.replaceAll(/:\w+/g, id)}`
  const guarded = ENDPOINTS.filter((endpoint) => endpoint.scope !== 'public')

  test('the list of endpoints is not empty, and the name of each endpoint is unique', () => {
    assert.ok(ENDPOINTS.length > 20)
    const names = ENDPOINTS.map((endpoint) => endpoint.name)
    assert.equal(new Set(names).size, names.length)
    const routes = ENDPOINTS.map((endpoint) => endpoint.route)
    assert.equal(new Set(routes).size, routes.length)
  })

  test('an endpoint needs at most five parts of the service (ports), and at most a tenth of all endpoints need more than two parts', () => {
    const over = (most: number) =>
      ENDPOINTS.filter(({ needs }) => needs.length > most).map(({ name }) => name)
    assert.deepEqual(over(5), [])
    assert.ok(over(2).length <= ENDPOINTS.length / 10, `more than two: ${over(2).join(', ')}`)
  })

  test('no route is registered before another route whose paths it would also match', () => {
    const sorted = ENDPOINTS.toSorted(bySpecificity)
    for (const [index, endpoint] of sorted.entries()) {
      const address = endpoint.path.replaceAll(/:\w+/g, 'zzz')
      const earlier = sorted
        .slice(0, index)
        .filter((other) => other.method === endpoint.method && other.at === endpoint.at)
        .find((other) => new RegExp(`^${other.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(address))
      assert.equal(earlier, undefined, `${endpoint.route} is never reached because of ${earlier?.route}`)
    }
  })

  test('an endpoint with a path parameter does not list not_found among its errors, because every such endpoint may return it', () => {
    const needless = ENDPOINTS.filter(({ path, fails }) => path.includes(':') && fails.includes('not_found'))
    assert.deepEqual(
      needless.map(({ route }) => route),
      [],
    )
  })

  test('on every list endpoint an invalid `limit` is refused with an error that names `limit`, and not replaced by a valid value', async () => {
    const limited = guarded.filter((endpoint) => queryNames(endpoint).includes('limit'))
    assert.ok(limited.length > 0)
    for (const endpoint of limited)
      for (const limit of ['0', '-1', '1001', 'ten', '1.5', '1e2', '', ' 5', '9007199254740993']) {
        const answer = await owner.call(
          `${routeWithId(endpoint, projectId)}?limit=${encodeURIComponent(limit)}`,
        )
        assert.equal(answer.status, 400, `${endpoint.route} limit=${limit}`)
        assert.match(answer.error?.message ?? '', /^limit: /, endpoint.route)
      }
  })

  test('on every list endpoint a cursor that the list did not issue is refused with an error that names `cursor`', async () => {
    for (const endpoint of guarded.filter((item) => queryNames(item).includes('cursor')))
      for (const cursor of [
        'x',
        '1:prj',
        `99999999999999999:${projectId}`,
        '%00',
        `1:key_${projectId.slice(4)}`,
      ]) {
        const answer = await owner.call(`${routeWithId(endpoint, projectId)}?cursor=${cursor}`)
        assert.equal(answer.status, 400, `${endpoint.route} cursor=${cursor}`)
        assert.match(answer.error?.message ?? '', /^cursor: /, endpoint.route)
      }
  })

  test("a session's request is refused when its content type is one that a form on another site can send", async () => {
    for (const endpoint of guarded.filter((item) => item.body !== undefined)) {
      const answer = await owner.raw(routeWithId(endpoint, projectId), {
        body: '{}x=1',
        headers: { 'content-type': 'text/plain' },
      })
      assert.equal(answer.status, 400, endpoint.route)
      assert.match(await answer.text(), /Content-Type/, endpoint.route)
    }
  })

  test('unknown routes and methods return a 404 in the JSON format of all errors, under /api/v1 and /api', async () => {
    for (const route of ['GET /api/v1/nothing', 'GET /api/nothing', 'DELETE /api/v1/projects', 'GET /api']) {
      const answer = await owner.call(route)
      assert.deepEqual([answer.status, answer.error?.code], [404, 'not_found'], route)
      assert.ok(answer.requestId)
    }
  })

  test('every GET route returns the same response under the alias /api as under /api/v1', async () => {
    const reading = ENDPOINTS.filter((endpoint) => endpoint.method === 'GET' && endpoint.at === 'api')
    assert.ok(reading.length > 20)
    for (const endpoint of reading) {
      const path = routeWithId(endpoint, projectId).replace('GET ', '')
      const [versioned, older] = [await owner.raw(`GET /api/v1${path}`), await owner.raw(`GET /api${path}`)]
      assert.equal(older.status, versioned.status, endpoint.route)
      assert.equal(older.headers.get('content-type'), versioned.headers.get('content-type'), endpoint.route)
      const [one, two] = [await older.text(), await versioned.text()]
      // Each export adds an entry to the activity log, which the next export contains.
      const isExport = endpoint.path === '/account/export'
      assert.equal(isExport ? headOf(one) : one, isExport ? headOf(two) : two, endpoint.route)
    }
  })

  test('every non-GET route returns the same error for an invalid request under the alias /api as under /api/v1', async () => {
    for (const endpoint of ENDPOINTS.filter((item) => item.method !== 'GET' && item.at === 'api')) {
      const path = routeWithId(endpoint, 'x').replace(`${endpoint.method} `, '')
      const init = { body: '[]', headers: { 'content-type': 'application/json' } }
      const getUnder = (prefix: string) => owner.raw(`${endpoint.method} ${prefix}${path}`, init)
      const [versioned, older] = [await getUnder('/api/v1'), await getUnder('/api')]
      assert.equal(older.status, versioned.status, endpoint.route)
      assert.equal(await older.text(), await versioned.text(), endpoint.route)
    }
  })

  test('https responses set strict transport security for this host only, and http responses set none', async () => {
    const limits = createLimits({ keyPerMinute: 1e6, sessionPerMinute: 1e6, addressPerMinute: 1e6 })
    const doors = {
      auth: () => Promise.resolve(new Response('{}')),
      page: () => Promise.resolve(new Response('page')),
    }
    for (const [baseUrl, expected] of [
      ['https://slipway.test', 'max-age=31536000'],
      ['http://localhost:4500', null],
    ] as const) {
      const platform = { ...app.platform, config: { ...app.platform.config, baseUrl } }
      const one = createApp(platform, ENDPOINTS, limits, doors)
      for (const path of ['/', '/api/auth/session', '/api/v1/projects', '/api/v1/nothing', '/health']) {
        const { headers } = await one.request(path)
        assert.equal(headers.get('strict-transport-security'), expected, path)
      }
      const { headers } = await one.request('/api/auth/session')
      assert.deepEqual(
        [headers.get('cache-control'), headers.get('x-content-type-options')],
        ['no-store', 'nosniff'],
      )
    }
  })

  test('every response has a request id, a Cache-Control header (no-store for JSON) and no rate limit header except Retry-After with a 429', async () => {
    const tight = createApp(
      app.platform,
      ENDPOINTS,
      createLimits({ keyPerMinute: 1, sessionPerMinute: 1, addressPerMinute: 1 }),
      { auth: () => Promise.resolve(new Response('auth')), page: () => Promise.resolve(null) },
    )
    const seen = new Set<number>()
    const checkAnswer = async (answer: Response, what: string) => {
      seen.add(answer.status)
      assert.ok(answer.headers.get('x-request-id'), what)
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', what)
      assert.ok(answer.headers.has('cache-control'), what)
      if (answer.headers.get('content-type')?.startsWith('application/json') === true)
        assert.equal(answer.headers.get('cache-control'), 'no-store', what)
      const telling = [...answer.headers.keys()].filter((name) => /rate-?limit|retry/i.test(name))
      assert.deepEqual(telling, answer.status === 429 ? ['retry-after'] : [], what)
      if (answer.status === 429) assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/, what)
      await answer.body?.cancel()
    }
    for (const endpoint of ENDPOINTS) {
      const route = routeWithId(endpoint, projectId)
      const bad = { body: '[]', headers: { 'content-type': 'application/json' } }
      await checkAnswer(await app.nobody.raw(route), `${route} as nobody`)
      await checkAnswer(await owner.raw(route, endpoint.method === 'GET' ? {} : bad), `${route} as owner`)
      const [method, path] = route.split(' ')
      const init = { ...(method !== undefined && { method }) }
      const limited = await tight.request(`${endpoint.at === 'root' ? '' : '/api/v1'}${path}`, init)
      await checkAnswer(limited, `${route} over the limit`)
    }
    for (const path of ['get-session', 'sign-in/email', 'nothing', 'organization/list'])
      for (const method of ['GET', 'POST'])
        await checkAnswer(await owner.raw(`${method} /api/auth/${path}`), `${method} ${path}`)
    for (const status of [200, 400, 401, 404, 429]) assert.ok(seen.has(status), String(status))
  })

  test('a valid request id sent by the caller is used in the response, and an id of 10,000 characters is replaced by a UUID', async () => {
    const kept = await owner.call('GET /me', undefined, { 'x-request-id': 'build-42.a_B' })
    assert.equal(kept.requestId, 'build-42.a_B')
    const replaced = await owner.call('GET /me', undefined, { 'x-request-id': 'x'.repeat(10_000) })
    assert.match(replaced.requestId ?? '', /^[0-9a-f-]{36}$/)
  })

  const headOf = (text: string) => text.split('\n')[0]

  function queryNames(endpoint: Endpoint): string[] {
    const shape = (endpoint.query as { shape?: Record<string, unknown> } | undefined)?.shape
    return Object.keys(shape ?? {})
  }
})
