/**
 * Gives the REST API its way to the objects of a group: one worker that has every bucket bound under its id. Its
 * paths are `/<bucket id>/<encoded key>`; without a key, GET lists. Apps cannot reach it: it is bound nowhere, and
 * they do not reach this machine.
 */
export const bucketWorkerSource = `
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
  const wish = { limit: Number(query.get('per_page') ?? '1000'), include: ['httpMetadata', 'customMetadata'] }
  for (const name of ['prefix', 'cursor', 'delimiter']) if (query.get(name)) wish[name] = query.get(name)
  const found = await bucket.list(wish)
  return Response.json({
    objects: found.objects.map(shown),
    prefixes: found.delimitedPrefixes,
    cursor: found.truncated ? found.cursor : null,
  })
}
export default {
  async fetch(request, env) {
    const url = new URL(request.url)
    const [, id, encoded] = url.pathname.split('/')
    const bucket = env[id]
    if (bucket === undefined) return new Response(null, { status: 404 })
    if (!encoded) return list(bucket, url.searchParams)
    const key = decodeURIComponent(encoded)
    try {
      if (request.method === 'PUT') {
        return Response.json(shown(await bucket.put(key, await request.arrayBuffer(), { httpMetadata: request.headers })))
      }
      if (request.method === 'DELETE') return new Response(await bucket.delete(key))
      const object = await bucket.get(key)
      if (object === null) return new Response(null, { status: 404 })
      const headers = new Headers({ etag: object.httpEtag, 'last-modified': object.uploaded.toUTCString() })
      object.writeHttpMetadata(headers)
      return new Response(object.body, { headers })
    } catch (error) {
      return Response.json({ message: String(error.message) }, { status: 400 })
    }
  },
}
`
