import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import type { Resource } from '../../store/resources.ts'
import type { ApiEnv } from '../../rest/context.ts'
import { respond } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { isForm, readBody, readForm, readQuery } from '../../rest/read-body.ts'
import type { StorageCloud } from '../storage/change.ts'

const BULK_MAX = 10_000
const BULK_READ_MAX = 100
const LIST_MAX = 1000

const Expiry = {
  expiration: z.coerce.number().int().optional(),
  expiration_ttl: z.coerce.number().int().optional(),
}
const Keys = z.array(z.string().min(1)).max(BULK_MAX)
const Pairs = z
  .array(
    z.object({
      key: z.string().min(1),
      value: z.string(),
      base64: z.boolean().optional(),
      metadata: z.unknown().optional(),
      ...Expiry,
    }),
  )
  .max(BULK_MAX)
const BulkRead = z.object({
  keys: z.array(z.string().min(1)).min(1).max(BULK_READ_MAX),
  type: z.enum(['text', 'json']).default('text'),
  withMetadata: z.boolean().default(false),
})
const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(LIST_MAX).default(LIST_MAX),
  prefix: z.string().default(''),
  cursor: z.string().default(''),
})

const Listed = z.object({ keys: z.array(z.unknown()), cursor: z.string().nullable() })
const Read = z.array(z.object({ key: z.string(), value: z.string().nullable(), metadata: z.unknown() }))
const Refused = z.object({ message: z.string() })
const METADATA_HEADER = 'slipway-metadata'

export function valueRoutes(cloud: StorageCloud, find: (c: Context<ApiEnv>) => Resource): Hono<ApiEnv> {
  const requestData = async (c: Context<ApiEnv>, params: Record<string, string>, init?: RequestInit) => {
    const found = await cloud.data.request(find(c), params, init)
    if (found.status === 400) throw new ApiFailure(400, 10001, Refused.parse(await found.json()).message)
    return found
  }
  const askMany = async (c: Context<ApiEnv>, what: string, body: unknown) =>
    (await requestData(c, { do: what }, { method: 'POST', body: JSON.stringify(body) })).json()
  const fetchValue = async (c: Context<ApiEnv>) => {
    const found = await requestData(c, { key: keyParam(c) })
    if (found.status === 404) throw new ApiFailure(404, 10009, "get: 'key not found'")
    return found
  }
  const removeMany = async (c: Context<ApiEnv>) => {
    const keys = await readBody(c, Keys)
    await askMany(c, 'delete', keys)
    return respond(c, { successful_key_count: keys.length, unsuccessful_keys: [] })
  }
  return (
    new Hono<ApiEnv>()
      .get('/keys', async (c) => {
        const { limit, ...query } = readQuery(c, ListQuery)
        const found = await requestData(c, { do: 'list', limit: String(limit), ...query })
        const { keys, cursor } = Listed.parse(await found.json())
        const result_info = { count: keys.length, ...(cursor === null ? {} : { cursor }) }
        return c.json({ success: true, errors: [], messages: [], result: keys, result_info })
      })
      .get('/metadata/:key{.+}', async (c) => respond(c, readMetadataHeader(await fetchValue(c))))
      .get('/values/:key{.+}', async (c) => {
        const found = await fetchValue(c)
        return new Response(found.body, { headers: { 'content-type': 'application/octet-stream' } })
      })
      .put('/values/:key{.+}', async (c) => {
        const { bytes, metadata } = await readValue(c.req.raw)
        const options = JSON.stringify({ ...readQuery(c, z.object(Expiry)), metadata })
        await requestData(c, { key: keyParam(c), options }, { method: 'PUT', body: bytes })
        return respond(c, null)
      })
      .delete('/values/:key{.+}', async (c) => {
        await askMany(c, 'delete', [keyParam(c)])
        return respond(c, null)
      })
      .put('/bulk', async (c) => {
        const pairs = await readBody(c, Pairs)
        await askMany(c, 'put', pairs)
        return respond(c, { successful_key_count: pairs.length, unsuccessful_keys: [] })
      })
      // Two addresses for the same operation: wrangler uses the old one, the SDK the new one.
      .delete('/bulk', removeMany)
      .post('/bulk/delete', removeMany)
      .post('/bulk/get', async (c) => {
        const { keys, type, withMetadata } = await readBody(c, BulkRead)
        const found = Read.parse(await askMany(c, 'get', keys))
        const shown = found.map(({ key, value, metadata }) => {
          const read = value !== null && type === 'json' ? requireJson(key, value) : value
          return [key, withMetadata && value !== null ? { value: read, metadata } : read] as const
        })
        return respond(c, { values: Object.fromEntries(shown) })
      })
  )
}

const keyParam = (c: Context<ApiEnv>) => c.req.param('key') ?? ''

function readMetadataHeader(found: Response): unknown {
  return JSON.parse(decodeURIComponent(found.headers.get(METADATA_HEADER) ?? 'null'))
}

/** The body is the value itself, or a form with value and metadata. */
async function readValue(request: Request): Promise<{ bytes: ArrayBuffer; metadata: unknown }> {
  if (!isForm(request)) return { bytes: await request.arrayBuffer(), metadata: undefined }
  const form = await readForm(request)
  const value = form.get('value')
  if (value === null) throw new ApiFailure(400, 10012, 'The form has no part named value.')
  const metadata = form.get('metadata')
  const text = metadata instanceof File ? await metadata.text() : metadata
  return {
    bytes: await new Response(value).arrayBuffer(),
    metadata: text === null ? undefined : requireJson('metadata', text),
  }
}

function requireJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiFailure(400, 10012, `${name} is not JSON.`)
  }
}
