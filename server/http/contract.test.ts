import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ENDPOINTS } from '../endpoints.ts'
import { type Client, testApp, type TestApp } from '../testing/app.ts'
import { type Endpoint, SCOPES } from './endpoint.ts'
import { bySpecificity } from './mount.ts'

/** A valid body for each operation that needs one, so that the check under test is the one that answers. */
const BODIES: Record<string, object> = {
  steerBuild: { text: 'x' },
  queueBuilds: { ticketIds: ['x'] },
  storePreviewErrors: { ticketId: 'x', errors: [] },
  createTicket: { title: 'One' },
  captureTicket: { text: 'One' },
  getTicketRollups: { ids: ['tkt_00000000000000000000000000'] },
  createKey: { name: 'one' },
  createIngestSource: { projectId: 'prj_00000000000000000000000000' },
  setCapability: { enabled: true },
  previewProject: { ticketId: 'tkt_00000000000000000000000000' },
  setProjectModel: { inherit: true },
  createModelConnection: { provider: 'scaffold', label: 'One' },
}

describe('the endpoint table', () => {
  let app: TestApp
  let owner: Client
  let stranger: Client
  let projectId: string

  before(async () => {
    app = await testApp({ limits: { keyPerMinute: 1e6, sessionPerMinute: 1e6, addressPerMinute: 1e6 } })
    owner = await app.signUp('Olga Owner')
    stranger = await app.signUp('Sam Stranger')
    projectId = (await owner.call<{ id: string }>('POST /projects', { name: 'Contract' })).data.id
  })
  after(() => app.close())

  const filled = (endpoint: Endpoint, id: string) =>
    `${endpoint.method} ${endpoint.path.replaceAll(/:\w+/g, id)}`
  const bodyOf = (endpoint: Endpoint) =>
    endpoint.method === 'GET' ? undefined : (BODIES[endpoint.name] ?? {})
  const guarded = ENDPOINTS.filter((endpoint) => endpoint.scope !== 'public')

  test('the table is not empty and every operation has a name of its own', () => {
    assert.ok(ENDPOINTS.length > 20)
    const names = ENDPOINTS.map((endpoint) => endpoint.name)
    assert.equal(new Set(names).size, names.length)
    const routes = ENDPOINTS.map((endpoint) => endpoint.route)
    assert.equal(new Set(routes).size, routes.length)
  })

  test('no route shadows another: in the order of registration each address finds its own route first', () => {
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

  test('without credentials every guarded route answers 401 in the envelope', async () => {
    for (const endpoint of guarded) {
      const answer = await app.nobody.call(filled(endpoint, 'x'), bodyOf(endpoint))
      assert.equal(answer.status, 401, endpoint.route)
      assert.equal(answer.error?.code, 'unauthorized', endpoint.route)
      assert.ok(answer.requestId, endpoint.route)
    }
  })

  test('a key without the scope is refused with forbidden_scope, and one with it gets past that check', async () => {
    for (const scope of SCOPES) {
      const others = SCOPES.filter((other) => other !== scope)
      const lacking = await app.keyFor(owner, others)
      const holding = await app.keyFor(owner, [scope])
      for (const endpoint of guarded.filter((item) => item.scope === scope)) {
        const refused = await lacking.call(filled(endpoint, 'x'), bodyOf(endpoint))
        assert.deepEqual([refused.status, refused.error?.code], [403, 'forbidden_scope'], endpoint.route)
        const admitted = await holding.raw(filled(endpoint, 'x'), {
          headers: { 'content-type': 'application/json' },
        })
        assert.notEqual(admitted.status, 403, endpoint.route)
        await admitted.body?.cancel()
      }
    }
  })

  test('no key reaches a session-only route, whatever its scopes', async () => {
    const key = await app.keyFor(owner, [...SCOPES])
    const routes = guarded.filter((endpoint) => endpoint.scope === 'session')
    assert.ok(routes.length > 0)
    for (const endpoint of routes) {
      const answer = await key.call(filled(endpoint, 'x'), bodyOf(endpoint))
      assert.deepEqual([answer.status, answer.error?.code], [403, 'forbidden'], endpoint.route)
    }
  })

  test("another organization's project answers exactly like one that does not exist", async () => {
    const routes = guarded.filter((endpoint) => endpoint.path.startsWith('/projects/:projectId'))
    assert.ok(routes.length > 10)
    for (const endpoint of routes) {
      const foreign = await stranger.call(filled(endpoint, projectId), bodyOf(endpoint))
      const unknown = await stranger.call(
        filled(endpoint, 'prj_00000000000000000000000000'),
        bodyOf(endpoint),
      )
      assert.equal(foreign.status, 404, `${endpoint.route}: ${foreign.error?.message}`)
      assert.deepEqual(foreign.error, unknown.error, endpoint.route)
    }
  })

  test('every page size out of range or not a number is refused by name, never clamped', async () => {
    const limited = guarded.filter((endpoint) => queryNames(endpoint).includes('limit'))
    assert.ok(limited.length > 0)
    for (const endpoint of limited)
      for (const limit of ['0', '-1', '1001', 'ten', '1.5', '1e2', '', ' 5', '9007199254740993']) {
        const answer = await owner.call(`${filled(endpoint, projectId)}?limit=${encodeURIComponent(limit)}`)
        assert.equal(answer.status, 400, `${endpoint.route} limit=${limit}`)
        assert.match(answer.error?.message ?? '', /^limit: /, endpoint.route)
      }
  })

  test('every cursor that no list handed out is refused by name', async () => {
    for (const endpoint of guarded.filter((item) => queryNames(item).includes('cursor')))
      for (const cursor of [
        'x',
        '1:prj',
        `99999999999999999:${projectId}`,
        '%00',
        `1:key_${projectId.slice(4)}`,
      ]) {
        const answer = await owner.call(`${filled(endpoint, projectId)}?cursor=${cursor}`)
        assert.equal(answer.status, 400, `${endpoint.route} cursor=${cursor}`)
        assert.match(answer.error?.message ?? '', /^cursor: /, endpoint.route)
      }
  })

  test('a body that is not JSON is refused on every route that reads one', async () => {
    const reading = guarded.filter((endpoint) => endpoint.body !== undefined)
    assert.ok(reading.length > 5)
    for (const endpoint of reading)
      for (const body of ['{', '"text"', '[1]', 'null']) {
        const answer = await owner.raw(filled(endpoint, projectId), {
          body,
          headers: { 'content-type': 'application/json' },
        })
        assert.equal(answer.status, 400, `${endpoint.route} ${body}`)
        const { error } = (await answer.json()) as { error: { code: string; message: string } }
        assert.equal(error.code, 'invalid_request')
        assert.match(error.message, /^[\w.]+: /, `${endpoint.route} ${body}`)
      }
  })

  test('a session cannot be made to send another type of body by a foreign form', async () => {
    for (const endpoint of guarded.filter((item) => item.body !== undefined)) {
      const answer = await owner.raw(filled(endpoint, projectId), {
        body: '{}x=1',
        headers: { 'content-type': 'text/plain' },
      })
      assert.equal(answer.status, 400, endpoint.route)
      assert.match(await answer.text(), /Content-Type/, endpoint.route)
    }
  })

  test('unknown routes and methods are 404 in the envelope, on both prefixes', async () => {
    for (const route of ['GET /api/v1/nothing', 'GET /api/nothing', 'DELETE /api/v1/projects', 'GET /api']) {
      const answer = await owner.call(route)
      assert.deepEqual([answer.status, answer.error?.code], [404, 'not_found'], route)
      assert.ok(answer.requestId)
    }
  })

  test('the older prefix answers like the versioned one', async () => {
    const versioned = await owner.call(`GET /api/v1/projects/${projectId}`)
    const older = await owner.call(`GET /api/projects/${projectId}`)
    assert.deepEqual(older.data, versioned.data)
  })

  test("a caller's request id is kept when it is harmless and replaced when it is not", async () => {
    const kept = await owner.call('GET /me', undefined, { 'x-request-id': 'build-42.a_B' })
    assert.equal(kept.requestId, 'build-42.a_B')
    const replaced = await owner.call('GET /me', undefined, { 'x-request-id': 'x'.repeat(10_000) })
    assert.match(replaced.requestId ?? '', /^[0-9a-f-]{36}$/)
  })

  function queryNames(endpoint: Endpoint): string[] {
    const shape = (endpoint.query as { shape?: Record<string, unknown> } | undefined)?.shape
    return Object.keys(shape ?? {})
  }
})
