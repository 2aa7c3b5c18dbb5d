import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { Insertable } from 'kysely'
import type { SessionTable } from '../../db/tables/auth.ts'
import { ENDPOINTS } from '../../tables/endpoints.ts'
import { type Client, testApp, type TestApp } from '../../testing/app.ts'
import { type RowIds, idName, newBelongings } from '../../testing/belongings.ts'
import { watchTables } from '../../testing/fingerprint.ts'
import {
  HOSTILE_BODIES,
  HOSTILE_JSON,
  HOSTILE_TEXT,
  minimalOf,
  REAL,
  paramNames,
  requestFor,
  shapeOf,
  withField,
  type WireRequest,
} from '../../testing/hostile.ts'
import { liftRouteLimits } from '../../testing/route-limits.ts'
import type { Endpoint } from '../endpoint.ts'
import { type ErrorCode, STATUS_OF } from '../errors.ts'
import { failuresOf } from '../openapi.ts'

/** With the default seed every run sends the same requests. With `random`, or another number, a run sends other requests. */
const GIVEN = process.env['SLIPWAY_FUZZ_SEED'] ?? '20261120'
const SEED = GIVEN === 'random' ? Math.trunc(Math.random() * 2 ** 31) : Number(GIVEN)
const RUNS = Number(process.env['SLIPWAY_FUZZ_RUNS'] ?? 8)
const SLOWEST_MS = 2_000

/**
 * Routes that call a model. The test calls them as a person without a connected model, so that they fail at once and no
 * model is called.
 */
const NEEDS_MODEL = new Set(['buildTicket', 'streamBuild', 'sendPlanMessage', 'streamPlan', 'retryPlan'])
/** Routes that make the project unusable for later requests. */
const SPENDS_PROJECT = new Set(['archiveProject'])
/** Path parameters whose values are fixed names and not ids of rows. */
const DEFAULT_IDS: Record<string, string> = { key: 'data' }
/** Messages of 400s that are caused by the state of a project or plan. They name no field, because no field is wrong. */
const STATE_REFUSALS = new Set([
  'Nothing is built yet: build a ticket first.',
  'The last exchange did not fail.',
])

describe(`hostile input (seed ${SEED})`, () => {
  let app: TestApp
  let owner: Person
  let modelless: Person
  let wasStored: () => Promise<boolean>
  let asked = 0

  before(async () => {
    app = await testApp({
      limits: { keyPerMinute: 1e9, sessionPerMinute: 1e9, addressPerMinute: 1e9 },
      modelBaseUrl: null,
    })
    liftRouteLimits(app)
    owner = await newPerson('Olga Owner')
    modelless = await newPerson('Mona Modelless')
    for (const { id } of (await modelless.client.call<{ id: string }[]>('GET /connections/models')).data)
      await modelless.client.call(`DELETE /connections/models/${id}`)
    wasStored = await watchTables(app.platform.pool)
  })
  after(() => app.close())

  for (const endpoint of ENDPOINTS) {
    test(`${endpoint.route} returns a declared response for every hostile value in every input`, async () => {
      for (const request of everyPlace(endpoint)) await checkAnswer(endpoint, request)
    })
    test(`${endpoint.route} returns a declared response for random input`, async () => {
      const property = fc.asyncProperty(requestFor(endpoint), (request) => checkAnswer(endpoint, request))
      await fc.assert(property, { seed: SEED, numRuns: RUNS })
    })
  }

  test("the auth library's routes never return a 5xx for hostile bodies and query parameters", async () => {
    const doors: [string, object][] = [
      ['sign-up/email', { name: 'text', email: 'new@example.test', password: 'short' }],
      ['sign-in/email', { email: 'nobody@example.test', password: 'wrong' }],
      ['change-password', { currentPassword: 'wrong', newPassword: 'short' }],
      ['request-password-reset', { email: 'nobody@example.test', redirectTo: '/' }],
      ['reset-password', { newPassword: 'correct horse', token: 'text' }],
      ['update-user', { name: 'text', image: 'text' }],
      ['revoke-session', { token: 'text' }],
      ['organization/create', { name: 'text', slug: 'text', metadata: {} }],
      ['organization/update', { data: { name: 'text' }, organizationId: 'text' }],
      ['organization/invite-member', { email: 'new@example.test', role: 'member', organizationId: 'text' }],
      ['organization/accept-invitation', { invitationId: 'text' }],
      ['organization/set-active', { organizationId: 'text' }],
      ['organization/cancel-invitation', { invitationId: 'text' }],
      ['organization/remove-member', { memberIdOrEmail: 'text', organizationId: 'text' }],
      ['two-factor/enable', { password: 'wrong' }],
      ['two-factor/verify-totp', { code: '000000', trustDevice: false }],
      ['two-factor/verify-backup-code', { code: 'text', disableSession: false }],
    ]
    const looks = [
      'get-session?disableCookieCache=',
      'verify-email?token=',
      'reset-password/x?callbackURL=',
      'organization/get-full-organization?organizationId=',
      'organization/get-invitation?id=',
      'organization/list-invitations?organizationId=',
    ]
    const { client } = await newPerson('Axel Auth')
    const fetchRoute = async (route: string, init: RequestInit) => {
      const answer = await client.raw(route, init)
      const said = `${route} ${String(init.body).slice(0, 200)} answered ${answer.status} ${(await answer.text()).slice(0, 200)}`
      assert.ok(answer.status < 500, said)
      assert.ok(answer.headers.get('x-request-id'), said)
    }
    const headers = { 'content-type': 'application/json' }
    for (const [path, base] of doors) {
      const fields = Object.keys(base).flatMap((name) =>
        HOSTILE_JSON.map((json) => withField(base, name, json)),
      )
      for (const body of [...HOSTILE_BODIES, ...fields])
        await fetchRoute(`POST /api/auth/${path}`, { body, headers })
    }
    for (const look of looks)
      for (const text of HOSTILE_TEXT) await fetchRoute(`GET /api/auth/${look}${text}`, {})
  })

  test('the fuzz tests sent more than a thousand requests', () => {
    assert.ok(asked > 1_000, String(asked))
  })

  test('a different spelling of a path never bypasses the access check of its route', async () => {
    for (const endpoint of ENDPOINTS.filter((item) => item.scope !== 'public')) {
      const path = `/api/v1${fillPath(endpoint, {}, owner.ids)}`
      const spellings = [`${path}/`, `/${path}`, path.replace('/api/v1', '/api/v1/'), path.toUpperCase()]
      const methods = endpoint.method === 'GET' ? ['GET', 'HEAD'] : [endpoint.method]
      for (const spelling of [path, ...spellings])
        for (const method of methods) {
          const answer = await app.app.request(`${app.config.baseUrl}${spelling}`, { method })
          assert.ok([401, 404].includes(answer.status), `${method} ${spelling} answered ${answer.status}`)
          await answer.body?.cancel()
        }
    }
  })

  /**
   * Sends one request and asserts that the response is quick and declared by the endpoint, and that a refused
   * request has stored nothing.
   */
  async function checkAnswer(endpoint: Endpoint, request: WireRequest): Promise<void> {
    const person = personFor(endpoint)
    asked++
    const route = `${endpoint.method} ${fillPath(endpoint, request.params, person.ids)}${request.query}`
    const sendRequest = async () => {
      const began = performance.now()
      const answer = await person.client.raw(route, {
        headers: { 'content-type': 'application/json', ...request.headers },
        ...(request.body !== null && { body: request.body.replace(REAL, person.ids['runId'] ?? '') }),
      })
      return { answer, text: await answer.text(), took: performance.now() - began }
    }
    const { answer, text, took } = await sendRequest()
    const said = `${route} ${request.body?.slice(0, 300)} answered ${answer.status} ${text.slice(0, 300)}`
    // A slow request is measured again, because the machine may have stalled.
    if (took >= SLOWEST_MS)
      assert.ok((await sendRequest()).took < SLOWEST_MS, `${said} after ${Math.round(took)} ms`)
    assert.match(answer.headers.get('x-request-id') ?? '', /^[A-Za-z0-9._-]{1,128}$/, said)
    assert.doesNotMatch(text, /"kind":"server_error"/, said)
    assert.equal(({} as { polluted?: true }).polluted, undefined, said)
    const isChanged = await wasStored()
    if (answer.ok) await repairWorld(person, endpoint)
    if (endpoint.kind === 'status') {
      assert.equal(text, '', said)
      assert.ok(answer.status in { ...endpoint.statuses, 401: '', 404: '', 429: '' }, said)
      if (!answer.ok) assert.ok(!isChanged, `${said}, and yet something was stored`)
      return
    }
    if (answer.ok) {
      if (endpoint.kind !== 'json') return
      const { ok, data } = JSON.parse(text) as { ok: boolean; data: unknown }
      assert.equal(ok, true, said)
      assert.deepEqual(endpoint.returns?.safeParse(data).error?.issues, undefined, said)
      return
    }
    const { ok, error } = JSON.parse(text) as {
      ok: boolean
      error: { code: ErrorCode; message: string }
    }
    assert.equal(ok, false, said)
    assert.equal(STATUS_OF[error.code], answer.status, said)
    assert.ok(isExpected(endpoint, error.code, answer.status), said)
    if (answer.status === 400 && !STATE_REFUSALS.has(error.message))
      assert.match(error.message, /^[\w.-]{1,200}: \S.{0,300}$/s, said)
    assert.ok(!isChanged, `${said}, and yet something was stored`)
    if (endpoint.scope !== 'public')
      assert.notEqual(error.code, 'unauthorized', `${said}: the test lost its session`)
  }

  /** A 5xx is expected only from endpoints that declare that a provider may fail. */
  function isExpected(endpoint: Endpoint, code: ErrorCode, status: number): boolean {
    if (code === 'not_found') return true
    return status >= 500 ? endpoint.fails.includes(code) : failuresOf(endpoint).includes(code)
  }

  function* everyPlace(endpoint: Endpoint): Generator<WireRequest> {
    const sent = endpoint.sends ?? endpoint.body
    const body = sent === undefined ? null : JSON.stringify(minimalOf(shapeOf(sent)))
    const params = Object.fromEntries(paramNames(endpoint).map((name) => [name, REAL]))
    const good: WireRequest = { params, query: '', body, headers: {} }
    for (const name of paramNames(endpoint))
      // All routes look up path parameters with the same code, so each route gets only a third of the hostile strings.
      for (const [index, text] of HOSTILE_TEXT.entries())
        if (index % 3 === ENDPOINTS.indexOf(endpoint) % 3)
          yield { ...good, params: { ...params, [name]: text } }
    if (endpoint.query !== undefined)
      for (const name of Object.keys(shapeOf(endpoint.query).properties ?? {})) {
        for (const text of ['', ...HOSTILE_TEXT]) yield { ...good, query: `?${name}=${text}` }
        yield { ...good, query: `?${name}=1&${name}=2` }
      }
    if (sent === undefined) return
    for (const text of HOSTILE_BODIES) yield { ...good, body: text }
    const shape = shapeOf(sent)
    for (const form of shape.anyOf ?? [shape])
      for (const name of Object.keys(form.properties ?? {}))
        for (const json of HOSTILE_JSON) {
          const base = { ...(minimalOf(form) as object), ...(name === 'after' && { run: REAL }) }
          yield { ...good, body: withField(base, name, json) }
        }
  }

  interface Person {
    client: Client
    ids: RowIds
    /** The row of the session, which is inserted again when a request has ended it. */
    session: Insertable<SessionTable>
  }

  function personFor(endpoint: Endpoint): Person {
    return NEEDS_MODEL.has(endpoint.name) ? modelless : owner
  }

  async function newPerson(name: string): Promise<Person> {
    const client = await app.signUp(name)
    const session = await app.platform.db
      .selectFrom('session')
      .selectAll()
      .where('activeOrganizationId', '=', client.organizationId)
      .executeTakeFirstOrThrow()
    return { client, session, ids: await newBelongings(app, client) }
  }

  /** Undoes the change of a successful request, so that later requests still work. */
  async function repairWorld(person: Person, endpoint: Endpoint): Promise<void> {
    if (endpoint.path === '/security') {
      await app.platform.db.deleteFrom('security_policies').execute()
      await app.platform.db
        .insertInto('session')
        .values(person.session)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    } else if (endpoint.method === 'DELETE' || SPENDS_PROJECT.has(endpoint.name)) {
      person.ids = await newBelongings(app, person.client)
    } else return
    await wasStored()
  }
})

function fillPath(endpoint: Endpoint, params: Record<string, string>, ids: RowIds): string {
  return endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const given = params[name] ?? REAL
    return given === REAL ? (ids[idName(endpoint, name)] ?? DEFAULT_IDS[name] ?? 'unknown') : given
  })
}
