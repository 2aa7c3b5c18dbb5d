/**
 * Module of the internal worker `_data` that gives the REST API access to an R2 bucket: to the object with the given `key`, or to the list
 * of objects when there is no `key`.
 */
export const r2Source = `
const shown = (object) => ({
  key: object.key,
  etag: object.etag,
  size: object.size,
  last_modified: object.uploaded.toISOString(),
  http_metadata: object.httpMetadata ?? {},
  custom_metadata: object.customMetadata ?? {},
  storage_class: object.storageClass,
  version: object.version,
})
async function list(bucket, query) {
  const input = { limit: Number(query.get('per_page') ?? '1000'), include: ['httpMetadata', 'customMetadata'] }
  for (const name of ['prefix', 'cursor', 'delimiter']) if (query.get(name)) input[name] = query.get(name)
  if (query.get('start_after')) input.startAfter = query.get('start_after')
  const found = await bucket.list(input)
  return Response.json({
    objects: found.objects.map(shown),
    prefixes: found.delimitedPrefixes,
    cursor: found.truncated ? found.cursor : null,
  })
}
export default async (bucket, request, query) => {
  const key = query.get('key')
  if (key === null) return list(bucket, query)
  if (request.method === 'PUT') {
    return Response.json(shown(await bucket.put(key, await request.arrayBuffer(), { httpMetadata: request.headers })))
  }
  if (request.method === 'DELETE') return new Response(await bucket.delete(key))
  const object = await bucket.get(key)
  if (object === null) return new Response(null, { status: 404 })
  const headers = new Headers({ etag: object.httpEtag, 'last-modified': object.uploaded.toUTCString() })
  object.writeHttpMetadata(headers)
  return new Response(object.body, { headers })
}
`
