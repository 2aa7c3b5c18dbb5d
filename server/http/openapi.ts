import * as z from 'zod'
import type { Endpoint } from './endpoint.ts'
import { type ErrorCode, STATUS_OF } from './errors.ts'
import { declaredKeys } from '../lib/keys.ts'

const JsonValue = z.record(z.string(), z.unknown())
type JsonValue = z.output<typeof JsonValue>

const Moved = z.object({ own: JsonValue, defs: z.record(z.string(), JsonValue) })

/** Returns the errors that any endpoint with this kind of access may return, in addition to those that it declares in `fails`. */
function commonFailures(endpoint: Endpoint): ErrorCode[] {
  const codes: ErrorCode[] = ['rate_limited', 'server_error', 'unavailable']
  if (endpoint.query !== undefined || endpoint.body !== undefined) codes.push('invalid_request')
  if (endpoint.path.includes(':')) codes.push('not_found')
  if (endpoint.scope === 'public') return codes
  codes.push('unauthorized', 'forbidden', 'two_factor_required', 'ip_not_allowed')
  if (endpoint.scope !== 'any' && endpoint.scope !== 'session') codes.push('forbidden_scope')
  return codes
}

/** Returns every error of an endpoint once, in the order of the error code table. */
export function failuresOf(endpoint: Endpoint): ErrorCode[] {
  const all = new Set([...commonFailures(endpoint), ...endpoint.fails])
  return declaredKeys(STATUS_OF).filter((code) => all.has(code))
}

/** Returns the OpenAPI document. It has the paths under the stable prefix `/api/v1` only; `/api` is an alias of it. */
export function openApiDocument(endpoints: Endpoint[], version: string): JsonValue {
  const schemas: JsonValue = { Failure: FAILURE_SCHEMA }
  const paths: Record<string, JsonValue> = {}
  for (const endpoint of endpoints) {
    const path = (endpoint.at === 'root' ? '' : '/api/v1') + endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Slipway',
      version,
      description: 'Turns tickets into running software, in your own cloud, with your own model.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key, `svk_...`, with the scope listed.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'slipway.session_token',
          description: 'A signed-in member; with `admin`, an owner or admin of the organization.',
        },
      },
    },
  }
}

function operationOf(endpoint: Endpoint, schemas: JsonValue): JsonValue {
  const parameters = [
    ...pathParameters(endpoint),
    ...queryParameters(endpoint, schemas),
    ...(endpoint.idempotent === true ? [IDEMPOTENCY_KEY] : []),
    ...(endpoint.signedBy === undefined ? [] : [signatureHeader(endpoint.signedBy)]),
  ]
  return {
    operationId: endpoint.name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [endpoint.description, accessSentence(endpoint)].filter(Boolean).join(' '),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(endpoint, schemas),
    responses: { ...successResponses(endpoint, schemas), ...failureResponses(endpoint) },
  }
}

/** Returns who may call an endpoint; also shown in the access column of routes.md. */
export function requiredAccess(endpoint: Endpoint): string {
  return endpoint.role === 'admin' ? `${endpoint.scope}, owners and admins` : endpoint.scope
}

function accessSentence(endpoint: Endpoint): string {
  if (endpoint.signedBy !== undefined)
    return `Needs no credentials but the signature in ${endpoint.signedBy}.`
  return endpoint.scope === 'public' ? 'Needs no credentials.' : `Access: ${requiredAccess(endpoint)}.`
}

/**
 * Returns the `security` of an operation. OpenAPI 3.1 allows every security requirement to list roles: here
 * the scope that a key needs, or the role that a session's member needs.
 */
function securityOf({ scope, role }: Endpoint): JsonValue[] {
  if (scope === 'public') return []
  const session = { session: role === 'admin' ? ['admin'] : [] }
  return scope === 'session' ? [session] : [{ key: scope === 'any' ? [] : [scope] }, session]
}

const IDEMPOTENCY_KEY: JsonValue = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeat with the same key and body gets the first answer again, for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const signatureHeader = (name: string): JsonValue => ({
  name,
  in: 'header',
  required: true,
  description: '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`, keyed with the whole secret.',
  schema: { type: 'string' },
})

function pathParameters(endpoint: Endpoint): JsonValue[] {
  return [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => ({
    name: match[1],
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(endpoint: Endpoint, schemas: JsonValue): JsonValue[] {
  if (endpoint.query === undefined) return []
  const schema = jsonSchema(endpoint.query, 'input', schemas)
  const required = (schema['required'] ?? []) as string[]
  return Object.entries((schema['properties'] ?? {}) as Record<string, JsonValue>).map(([name, property]) => {
    const { description, ...rest } = property
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
    }
  })
}

function requestBody(endpoint: Endpoint, schemas: JsonValue): JsonValue {
  if (endpoint.rawBody !== undefined) {
    const types = endpoint.rawBody.types.map((type) => [
      type,
      { schema: { type: 'string', format: 'binary' } },
    ])
    return { requestBody: { required: true, content: Object.fromEntries(types) } }
  }
  const sent = endpoint.sends ?? endpoint.body
  if (sent === undefined) return {}
  const schema = jsonSchema(sent, 'input', schemas)
  const isRequired = ((schema['required'] ?? []) as string[]).length > 0
  return { requestBody: { required: isRequired, content: { 'application/json': { schema } } } }
}

function successResponses(endpoint: Endpoint, schemas: JsonValue): JsonValue {
  if (endpoint.kind === 'status')
    return Object.fromEntries(
      Object.entries(endpoint.statuses ?? {}).map(([status, description]) => [status, { description }]),
    )
  if (endpoint.kind === 'redirect') return { 302: { description: 'Redirects the browser.' } }
  if (endpoint.kind === 'bytes')
    return {
      200: {
        description: 'The bytes.',
        content: { [endpoint.contentType ?? 'application/octet-stream']: { schema: { type: 'string' } } },
      },
    }
  const data = endpoint.returns === undefined ? {} : jsonSchema(endpoint.returns, 'output', schemas)
  if (endpoint.kind === 'sse')
    return {
      200: { description: 'One event per frame.', content: { 'text/event-stream': { schema: data } } },
    }
  const envelope = {
    type: 'object',
    required: ['ok', 'data'],
    properties: { ok: { const: true }, data },
  }
  return { 200: { description: 'The response.', content: { 'application/json': { schema: envelope } } } }
}

function failureResponses(endpoint: Endpoint): JsonValue {
  const byStatus = Map.groupBy(failuresOf(endpoint), (code) => STATUS_OF[code])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\``).join(', '),
        ...(endpoint.kind !== 'status' && {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
        }),
      },
    ]),
  )
}

const FAILURE_SCHEMA: JsonValue = {
  type: 'object',
  required: ['ok', 'error'],
  properties: {
    ok: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { enum: Object.keys(STATUS_OF) }, message: { type: 'string' } },
    },
  },
}

/**
 * Converts a Zod schema to JSON Schema. Schemas with an id become components. Zod cannot describe the text from which a
 * number in a query string is parsed, so there the metadata `wire` of the schema describes it.
 */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', components: JsonValue): JsonValue {
  const {
    $schema: _dialect,
    $defs,
    ...own
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: target }) => {
      // Zod omits the default of a field with a transform, because a transform may change the default. No transform of this API does so.
      if (zodSchema instanceof z.ZodDefault) target.default ??= zodSchema.def.defaultValue
      const wire = z.globalRegistry.get(zodSchema)?.['wire']
      if (wire === undefined) return
      for (const key of Object.keys(target)) delete target[key as keyof typeof target]
      Object.assign(target, wire)
    },
  }) as JsonValue
  const text = JSON.stringify({ own, defs: $defs ?? {} }).replaceAll('#/$defs/', '#/components/schemas/')
  const moved = Moved.parse(JSON.parse(text))
  for (const [name, definition] of Object.entries(moved.defs)) components[name] ??= withoutId(definition)
  const name = own['id'] as string | undefined
  if (name === undefined) return moved.own
  components[name] ??= withoutId(moved.own)
  return { $ref: `#/components/schemas/${name}` }
}

function withoutId({ id: _id, ...rest }: JsonValue): JsonValue {
  return rest
}
