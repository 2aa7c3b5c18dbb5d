import * as fc from 'fast-check'
import * as z from 'zod'
import type { Endpoint } from '../http/endpoint.ts'

/** The part of JSON Schema that Zod produces for the inputs of the endpoints. */
export interface Shape {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Shape[]
  oneOf?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  minItems?: number
  maxItems?: number
  maxLength?: number
  minLength?: number
  pattern?: string
  additionalProperties?: Shape | boolean
  format?: string
  minimum?: number
  maximum?: number
}

/** A placeholder for an existing id, which is filled in when the request is sent. */
export const REAL = '{real}'

/** One request as it is sent: the path is encoded and the body is text. */
export interface WireRequest {
  params: Record<string, string>
  query: string
  body: string | null
  headers: Record<string, string>
}

/** Returns the shape of an input, with named schemas inlined. */
export function shapeOf(schema: z.ZodType): Shape {
  const { $defs = {}, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const text = JSON.stringify(shape).replaceAll(/\{"\$ref":"#\/\$defs\/(\w+)"\}/g, (_, name: string) =>
    JSON.stringify($defs[name]),
  )
  return JSON.parse(text) as Shape
}

const DEEP = 20_000

/** JSON values that `JSON.stringify` would not write, or that break code that expects ordinary values. */
export const HOSTILE_JSON: readonly string[] = [
  String.raw`"\u0000"`,
  String.raw`"a\u0000b"`,
  String.raw`"\ud800"`,
  String.raw`"ok \udfff ok"`,
  String.raw`"\u202e\u2066 \ufeff"`,
  '4294967296',
  '9007199254740991',
  '9007199254740993',
  '1e309',
  '-1e309',
  '-0',
  '1.5',
  '"NaN"',
  '""',
  '"   "',
  '"0000-01-01T00:00:00Z"',
  '"9999-12-31T23:59:59.999999999+23:59"',
  `"${'x'.repeat(100_000)}"`,
  `"${'🚀'.repeat(120)}"`,
  '"http://[::ffff:127.0.0.1]:1/"',
  'null',
  'true',
  '[]',
  '["a","a"]',
  '[null]',
  '{}',
  '{"length":1,"toString":null}',
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  String.raw`{"a\u0000b":1,"\ud800":"\udfff","a b\nc":"\u0000"}`,
  `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  String.raw`${'{"a":'.repeat(DEEP)}"\ud800"${'}'.repeat(DEEP)}`,
]

/** Query values and path segments, percent-encoded as they are sent. */
export const HOSTILE_TEXT: readonly string[] = [
  '%00',
  'a%00b',
  '%ff%fe',
  '%zz',
  '%',
  '%ED%A0%80',
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e%5c',
  '%E2%80%AE%EF%BB%BF',
  encodeURIComponent('プロジェクト🚀'),
  '%27%20or%201=1--',
  '%0d%0aX-Evil:%201',
  '__proto__',
  'constructor',
  'NaN',
  'null',
  '-0',
  '-1',
  '1e309',
  '4294967296',
  '9007199254740993',
  '999999999999999:prj_01jz0000000000000000000000',
  'x'.repeat(300),
]

/** Request bodies that are not an object of the expected form. */
export const HOSTILE_BODIES: readonly string[] = [
  '',
  '   ',
  '{',
  '"text"',
  'null',
  '[]',
  '[1]',
  '1e309',
  '{"a":1}}',
  '\u0000',
  '{"__proto__":{"polluted":true}}',
  `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  `{"x":${'['.repeat(DEEP)}"\\ud800"${']'.repeat(DEEP)}}`,
  `{"x":"${'y'.repeat(1024 * 1024)}"}`,
]

/** Field names with which a body or query might try to change data that the caller does not own. */
const FOREIGN_FIELDS = [
  'id',
  'orgId',
  'scopes',
  'role',
  'plan',
  'createdAt',
  'provision',
  '__proto__',
  'toJSON',
]

const TEXT_OF_FORMAT: Readonly<Record<string, string>> = {
  uri: 'https://example.com/',
  hostname: 'app.example.com',
}

/** Returns a minimal value that the schema accepts. */
export function minimalOf(shape: Shape): unknown {
  const alternative = shape.anyOf?.[0] ?? shape.oneOf?.[0]
  if (alternative !== undefined) return minimalOf(alternative)
  if (shape.const !== undefined) return shape.const
  if (shape.enum !== undefined) return shape.enum[0]
  if (shape.type === 'object') {
    const required = (shape.required ?? []).map((name) => [name, minimalOf(shape.properties?.[name] ?? {})])
    return Object.fromEntries(required)
  }
  if (shape.type === 'array')
    return Array.from({ length: shape.minItems ?? 0 }, () => minimalOf(shape.items ?? {}))
  if (shape.type === 'integer' || shape.type === 'number') return shape.minimum ?? 0
  if (shape.type === 'boolean') return false
  if (shape.pattern !== undefined && shape.format === undefined)
    return fc.sample(fc.stringMatching(new RegExp(shape.pattern)), { numRuns: 1, seed: 1 })[0]
  return (TEXT_OF_FORMAT[shape.format ?? ''] ?? 'text').padEnd(shape.minLength ?? 0, 't')
}

/** Generates values that are valid or nearly valid: lengths and patterns are random. */
export function valueOf(shape: Shape): fc.Arbitrary<unknown> {
  const alternatives = shape.anyOf ?? shape.oneOf
  if (alternatives !== undefined) return fc.oneof(...alternatives.map(valueOf))
  if (shape.const !== undefined) return fc.constant(shape.const)
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum)
  switch (shape.type) {
    case 'object':
      return objectOf(shape)
    case 'array':
      return fc.array(valueOf(shape.items ?? {}), { maxLength: 24 })
    case 'integer':
    case 'number':
      return fc.oneof(
        fc.constantFrom(shape.minimum ?? 0, shape.maximum ?? 2 ** 53, 2 ** 31, -1, 0.1),
        fc.integer({ min: -3, max: 1000 }),
      )
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return textOfFormat(shape.format)
    default:
      return fc.jsonValue({ maxDepth: 3 })
  }
}

function objectOf(shape: Shape): fc.Arbitrary<unknown> {
  const fields = Object.entries(shape.properties ?? {}).map(
    ([name, field]) => [name, valueOf(field)] as const,
  )
  if (fields.length === 0) return fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 2 }))
  return fc.record(Object.fromEntries(fields), { requiredKeys: shape.required ?? [] })
}

function textOfFormat(format: string | undefined): fc.Arbitrary<string> {
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date(-8.64e15) }).map((date) => date.toISOString())
  if (format === 'uri') return fc.webUrl()
  return fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.lorem({ maxCount: 5 }))
}

/** Generates requests for one endpoint. Most are valid except for one error in the body, query, path or headers. */
export function requestFor(endpoint: Endpoint): fc.Arbitrary<WireRequest> {
  const sent = endpoint.sends ?? endpoint.body
  return fc.record({
    params: paramsFor(endpoint),
    query: endpoint.query === undefined ? fc.constant('') : queryFor(shapeOf(endpoint.query)),
    body: sent === undefined ? fc.constant(null) : bodyFor(shapeOf(sent)),
    headers: HEADERS,
  })
}

function paramsFor(endpoint: Endpoint) {
  const one = fc.oneof(
    { weight: 6, arbitrary: fc.constant(REAL) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_TEXT) },
  )
  return fc.record(Object.fromEntries(paramNames(endpoint).map((name) => [name, one])))
}

export const paramNames = (endpoint: Endpoint): string[] =>
  [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')

function queryFor(shape: Shape): fc.Arbitrary<string> {
  const names = [...Object.keys(shape.properties ?? {}), ...FOREIGN_FIELDS]
  const value = fc.oneof(
    fc.constantFrom(...HOSTILE_TEXT),
    fc.integer({ min: 0, max: 600 }).map(String),
    fc.string({ maxLength: 60 }).map(encodeURIComponent),
  )
  const pair = fc.tuple(fc.constantFrom(...names), value).map(([name, text]) => `${name}=${text}`)
  return fc.array(pair, { maxLength: 4 }).map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`))
}

function bodyFor(shape: Shape): fc.Arbitrary<string> {
  const forms = shape.anyOf ?? [shape]
  const fields = [...forms.flatMap((form) => Object.keys(form.properties ?? {})), ...FOREIGN_FIELDS]
  const oneWrong = fc
    .tuple(valueOf(shape), fc.constantFrom(...fields), fc.constantFrom(...HOSTILE_JSON))
    .map(([base, field, hostile]) => withField(base, field, hostile))
  return fc.oneof(
    { weight: 4, arbitrary: valueOf(shape).map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: oneWrong },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_BODIES) },
  )
}

/** Returns the JSON of an object in which one field is replaced by raw text, which `JSON.stringify` might not write. */
export function withField(base: unknown, field: string, json: string): string {
  const others = Object.entries(base ?? {}).filter(([name]) => name !== field)
  return `{${[...others.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`), `${JSON.stringify(field)}:${json}`].join(',')}}`
}

const HEADERS = fc.record(
  {
    'x-request-id': fc.constantFrom('x'.repeat(10_000), 'a b', '"><script>', 'ok-1'),
    'idempotency-key': fc.constantFrom('', 'k'.repeat(300), 'one'),
    'last-event-id': fc.constantFrom('', 'run_01jz0000000000000000000000:999999999', '::', 'x'.repeat(5000)),
  },
  { requiredKeys: [] },
)
