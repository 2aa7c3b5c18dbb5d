import { isRecord } from '../is-record.ts'
import type { Context } from 'hono'
import type { Store } from '../../world/store.ts'
import type { ApiEnv } from './context.ts'

/** The body fields in which a client names the resource that it creates. */
const NAME_FIELDS = ['name', 'queue_name', 'title', 'bucket_name']
const BODY_BYTES_MAX = 64 * 1024

/**
 * Returns every name in an API call that may contain a fault token such as `fail-500`: path segments, names
 * of the resources whose ids are in the path, and the name in the body of a create request.
 */
export async function namesOfCall(store: Store, c: Context<ApiEnv>): Promise<string[]> {
  const segments = c.req.path.split('/').map(decodePart)
  return [...segments, ...segments.flatMap((id) => namesBehind(store, id)), ...(await namesInBody(c))]
}

/** Returns a badly encoded segment unchanged, because the route rejects it. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function namesBehind(store: Store, id: string): string[] {
  if (!/^[0-9a-f-]{32,36}$/.test(id)) return []
  const sql = 'SELECT name FROM queues WHERE id = ? UNION ALL SELECT name FROM resources WHERE id = ?'
  return store.all<{ name: string }>(sql, id, id).map(({ name }) => name)
}

async function namesInBody(c: Context<ApiEnv>): Promise<string[]> {
  const size = Number(c.req.header('content-length') ?? 0)
  const isForm = (c.req.header('content-type') ?? '').startsWith('multipart/')
  if (c.req.method !== 'POST' || isForm || size > BODY_BYTES_MAX) return []
  try {
    const body: unknown = await c.req.raw.clone().json()
    if (!isRecord(body)) return []
    return NAME_FIELDS.map((field) => body[field]).filter((name) => typeof name === 'string')
  } catch {
    return []
  }
}
