import * as z from 'zod'

type Schema = Record<string, unknown>
/** Changes one schema, but not the schemas nested in it. */
type Rule = (schema: Schema) => Schema
interface Content {
  content?: Record<string, { schema: Schema }>
}
interface Operation {
  parameters?: { name: string; in: string }[]
  requestBody?: Content
  responses: Record<string, Content>
}

/** An OpenAPI document, as far as this file reads it. */
export interface Contract {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** One request of a client, with the response. */
export interface Exchange {
  method: string
  url: URL
  body: string
  status: number
  type: string
  answer: string
}

/** Returns a `fetch` for a generated client that sends with `send`, and records each exchange. */
export function recordExchanges(exchanges: Exchange[], send: (request: Request) => Promise<Response>) {
  return async (input: string | URL | Request): Promise<Response> => {
    // The generated client passes a finished Request as the only argument.
    const request = input as Request
    const body = await request.clone().text()
    const response = await send(request)
    exchanges.push({
      method: request.method,
      url: new URL(request.url),
      body,
      status: response.status,
      type: response.headers.get('content-type')?.split(';')[0] ?? '',
      answer: await response.clone().text(),
    })
    return response
  }
}

/**
 * Returns a sentence for each part of a request that the contract does not know, and for each part of the response that is
 * not as the contract promises (docs/guides/compatibility.md).
 */
export function exchangeProblems(contract: Contract, exchange: Exchange): string[] {
  const { method, url, body, status, type, answer } = exchange
  const at = `${method} ${url.pathname}`
  const operation = findOperation(contract, method, url.pathname)
  if (operation === null) return [`${at} is not in the contract`]
  const response = operation.responses[status]
  if (response === undefined) return [`${at} returned ${status}, which is not in the contract`]
  const known = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name)
  const sent = schemaOf(contract, operation.requestBody, 'application/json', onlyKnown)
  const received = schemaOf(contract, response, type, open)
  return [
    ...[...url.searchParams.keys()]
      .filter((name) => !known.includes(name))
      .map((name) => `sent the parameter ${name}, which is not in the contract`),
    ...(body === '' ? [] : issuesOf(sent, body).map((issue) => `sent ${issue}`)),
    ...(type === 'text/event-stream' ? dataOf(answer) : [answer])
      .flatMap((text) => issuesOf(received, text))
      .map((issue) => `returned ${issue}`),
  ].map((problem) => `${at} ${problem}`)
}

function findOperation({ paths }: Contract, method: string, pathname: string): Operation | null {
  const matching = Object.entries(paths)
    .filter(([path]) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname))
    // Paths with fewer parameters come first, because a path such as `/a/b` also matches `/a/{id}`.
    .toSorted(([one], [other]) => one.split('{').length - other.split('{').length)
  return matching.map(([, methods]) => methods[method.toLowerCase()]).find((it) => it !== undefined) ?? null
}

const dataOf = (stream: string) => [...stream.matchAll(/^data: (.*)$/gm)].map((match) => match[1] ?? '')

/** A response may have more properties and other values than the contract. */
const open = ({ additionalProperties, default: _default, enum: _enum, ...rest }: Schema): Schema => ({
  ...rest,
  ...(typeof additionalProperties === 'object' && { additionalProperties }),
})

/** A client of the release sends only properties that the release has. */
const onlyKnown = (schema: Schema): Schema =>
  'properties' in schema ? { additionalProperties: false, ...schema } : schema

/** Returns the schema of a body. When the contract has none, returns a schema that accepts nothing. */
function schemaOf(contract: Contract, part: Content | undefined, type: string, rule: Rule): z.ZodType {
  const schema = part?.content?.[type]?.schema
  if (schema === undefined) return z.never()
  const whole = { ...changed(schema, rule), $defs: mapValues(contract.components.schemas, rule) }
  const local = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/')
  return z.fromJSONSchema(JSON.parse(local) as z.core.JSONSchema.JSONSchema)
}

function issuesOf(schema: z.ZodType, text: string): string[] {
  const { error } = schema.safeParse(JSON.parse(text))
  return (error?.issues ?? []).map(({ path, message }) => `${['body', ...path].join('.')}: ${message}`)
}

/** Applies a rule to a schema and all schemas in it. */
function changed(schema: Schema, rule: Rule): Schema {
  const entries = Object.entries(rule(schema))
  return Object.fromEntries(
    entries.map(([key, part]) => [
      key,
      // The keys of `properties` are names of the API, so a property named `enum` is kept.
      key === 'properties' && isSchema(part) ? mapValues(part, rule) : inside(part, rule),
    ]),
  )
}

function inside(part: unknown, rule: Rule): unknown {
  if (Array.isArray(part)) return part.map((one) => inside(one, rule))
  return isSchema(part) ? changed(part, rule) : part
}

const mapValues = (schemas: Schema, rule: Rule): Schema =>
  Object.fromEntries(Object.entries(schemas).map(([name, part]) => [name, inside(part, rule)]))

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
