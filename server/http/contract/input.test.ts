import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { ENDPOINTS } from '../../tables/endpoints.ts'
import { type ApiResponse, type Client, testApp, type TestApp } from '../../testing/app.ts'
import { BEHIND_PROXY } from '../../testing/credentials.ts'
import { watchTables } from '../../testing/fingerprint.ts'
import { liftRouteLimits } from '../../testing/route-limits.ts'
import { minimalOf, type Shape, shapeOf } from '../../testing/hostile.ts'
import type { Endpoint } from '../endpoint.ts'

const GUARDED = ENDPOINTS.filter((endpoint) => endpoint.scope !== 'public')
const LARGE = 200_000

/** Yields values that the schema of the field must refuse. */
function* wrongFor(shape: Shape): Generator<unknown> {
  const forms = shape.anyOf ?? shape.oneOf ?? [shape]
  const acceptsType = (type: string) =>
    forms.some((form) => [form.type].flat().some((own) => (own ?? type) === type))
  if (!acceptsType('string')) yield 'nonsense'
  if (!acceptsType('number') && !acceptsType('integer')) yield 4.25
  if (!acceptsType('boolean')) yield true
  if (!acceptsType('array')) yield ['nonsense', {}]
  if (!acceptsType('object')) yield { nonsense: 1 }
  if (!acceptsType('null')) yield null
  if (forms.every((form) => form.enum !== undefined || form.const !== undefined)) yield 'nonsense'
  for (const form of forms.length === 1 ? forms : []) {
    if (form.maxLength !== undefined) yield 'x'.repeat(form.maxLength + 1)
    if (form.maximum !== undefined) yield form.maximum + 1
    if (form.minimum !== undefined) yield form.minimum - 1
    if (form.maxItems !== undefined)
      yield Array.from({ length: form.maxItems + 1 }, () => minimalOf(form.items ?? {}))
    if ((form.minItems ?? 0) > 0) yield []
  }
}

/** Returns the schema of an endpoint's body, or the schemas of its alternatives. */
const formsOf = (endpoint: Endpoint): Shape[] => {
  if (endpoint.body === undefined) return []
  const shape = shapeOf(endpoint.body)
  return (shape.anyOf ?? shape.oneOf ?? [shape]).filter((form) => form.properties !== undefined)
}

describe('input validation of every route', () => {
  let app: TestApp
  let owner: Client
  let isChanged: () => Promise<boolean>
  before(async () => {
    app = await testApp(BEHIND_PROXY)
    liftRouteLimits(app)
  })
  beforeEach(async () => {
    owner = await app.signUp()
    isChanged = await watchTables(app.platform.pool)
  })
  after(() => app.close())

  const routeWith = (endpoint: Endpoint, query = '') =>
    `${endpoint.method} ${endpoint.path.replaceAll(/:\w+/g, 'x')}${query}`
  const assertNamed = (answer: ApiResponse, endpoint: Endpoint, field: string, sent: unknown) => {
    const said = `${endpoint.route} ${field}=${JSON.stringify(sent)?.slice(0, 80)} answered ${answer.status} ${answer.error?.message}`
    assert.deepEqual([answer.status, answer.error?.code], [400, 'invalid_request'], said)
    assert.match(answer.error?.message ?? '', new RegExp(`^${field}(\\.[\\w.-]+)?: \\S`), said)
  }

  test('a value that the schema of a body field does not allow is refused with an error that names the field', async () => {
    let asked = 0
    for (const endpoint of GUARDED)
      for (const form of formsOf(endpoint))
        for (const [field, shape] of Object.entries(form.properties ?? {})) {
          // Skips constant fields, and bodies with several alternatives, whose fields differ.
          if (shape.const !== undefined || formsOf(endpoint).length > 1) continue
          for (const wrong of wrongFor(shape)) {
            asked++
            const body = { ...(minimalOf(form) as object), [field]: wrong }
            assertNamed(await owner.call(routeWith(endpoint), body), endpoint, field, wrong)
          }
        }
    assert.ok(asked > 100, String(asked))
    assert.ok(!(await isChanged()))
  })

  test('a body without a required field is refused with an error that names the field', async () => {
    let asked = 0
    for (const endpoint of GUARDED)
      for (const form of formsOf(endpoint).length === 1 ? formsOf(endpoint) : [])
        for (const field of form.required ?? []) {
          asked++
          const { [field]: _, ...rest } = minimalOf(form) as Record<string, unknown>
          const answer = await owner.call(routeWith(endpoint), rest)
          assertNamed(answer, endpoint, field, undefined)
          assert.equal(answer.error?.message, `${field}: is required`)
        }
    assert.ok(asked > 10, String(asked))
    assert.ok(!(await isChanged()))
  })

  test('a query parameter that is repeated, too long or invalid is refused with an error that names the parameter', async () => {
    let asked = 0
    for (const endpoint of GUARDED.filter((item) => item.query !== undefined))
      for (const [name, shape] of Object.entries(shapeOf(endpoint.query!).properties ?? {})) {
        const others = new URLSearchParams(minimalOf(shapeOf(endpoint.query!)) as Record<string, string>)
        others.delete(name)
        const wrong = ['1&', 'x'.repeat(8_000), '%00']
        if (shape.enum !== undefined || shape.const !== undefined) wrong.push('nonsense', '')
        for (const text of wrong) {
          asked++
          const query = `?${others.toString()}&${text === '1&' ? `${name}=1&${name}=1` : `${name}=${text}`}`
          assertNamed(await owner.call(routeWith(endpoint, query)), endpoint, name, text)
        }
      }
    assert.ok(asked > 30, String(asked))
  })

  test('unknown body fields and query parameters are ignored', async () => {
    for (const endpoint of GUARDED) {
      const [form] = formsOf(endpoint)
      if (form === undefined) continue
      const body = minimalOf(form) as object
      const more = { nonsense: 1, orgId: 'x', createdAt: 0, constructor: { prototype: 1 } }
      // A request that succeeds may end the session (PUT /security). So each request without an id in its path is
      // sent by a new person.
      const callerFor = async () => (endpoint.path.includes(':') ? owner : app.signUp())
      const plain = await (await callerFor()).call(routeWith(endpoint), body)
      const padded = await (
        await callerFor()
      ).call(routeWith(endpoint, '?nonsense=1&nonsense=2&limit2='), { ...body, ...more })
      assert.equal(padded.status, plain.status, `${endpoint.route}: ${padded.error?.message}`)
      assert.equal(padded.error?.code, plain.error?.code, endpoint.route)
    }
  })

  test('a body that is over one mebibyte or not a JSON object is refused with an error that names the field "body"', async () => {
    const bodies = [
      `{"x":"${'y'.repeat(1024 * 1024)}"}`,
      '{',
      '"text"',
      '[1]',
      'null',
      '1',
      `[${'1,'.repeat(LARGE)}1]`,
    ]
    for (const endpoint of GUARDED.filter((item) => item.body !== undefined))
      for (const body of bodies) {
        const answer = await owner.raw(routeWith(endpoint), {
          body,
          headers: { 'content-type': 'application/json' },
        })
        const text = await answer.text()
        assert.equal(answer.status, 400, `${endpoint.route} ${body.slice(0, 20)} ${text}`)
        assert.match(text, /"message":"[\w.-]+: /, `${endpoint.route} ${body.slice(0, 20)}`)
      }
    assert.ok(!(await isChanged()))
  })
})
