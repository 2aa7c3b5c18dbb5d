/**
 * Module of the internal worker `_data` that gives the REST API access to a KV namespace: GET and PUT of one
 * value, `list`, and `put`, `get` or `delete` of many.
 */
export const kvSource = `
const METADATA = 'slipway-metadata'
const options = ({ expiration, expiration_ttl, metadata }) => ({
  ...(expiration == null ? {} : { expiration }),
  ...(expiration_ttl == null ? {} : { expirationTtl: expiration_ttl }),
  ...(metadata == null ? {} : { metadata }),
})
const bytes = (item) =>
  item.base64 === true ? Uint8Array.from(atob(item.value), (char) => char.charCodeAt(0)) : item.value
const many = {
  put: (kv, items) => Promise.all(items.map((item) => kv.put(item.key, bytes(item), options(item)))),
  delete: (kv, keys) => Promise.all(keys.map((key) => kv.delete(key))),
  get: async (kv, keys) => {
    const found = await Promise.all(keys.map((key) => kv.getWithMetadata(key)))
    return found.map(({ value, metadata }, index) => ({ key: keys[index], value, metadata }))
  },
}
async function list(kv, query) {
  const found = await kv.list({
    prefix: query.get('prefix') ?? '',
    limit: Number(query.get('limit') ?? '1000'),
    ...(query.get('cursor') ? { cursor: query.get('cursor') } : {}),
  })
  return Response.json({ keys: found.keys, cursor: found.list_complete ? null : found.cursor })
}
export default async (kv, request, query) => {
  const key = query.get('key')
  if (query.get('do') === 'list') return list(kv, query)
  if (key === null) return Response.json((await many[query.get('do')](kv, await request.json())) ?? null)
  if (request.method === 'PUT') {
    await kv.put(key, await request.arrayBuffer(), options(JSON.parse(query.get('options'))))
    return new Response()
  }
  const { value, metadata } = await kv.getWithMetadata(key, 'arrayBuffer')
  if (value === null) return new Response(null, { status: 404 })
  return new Response(value, { headers: { [METADATA]: encodeURIComponent(JSON.stringify(metadata)) } })
}
`
