import { env } from 'cloudflare:workers'
import type { CollectionName, InputOf, ListPage, Query, RecordOf } from '../data/types.ts'
import { ApiError, fromFailure } from '../kernel/errors.ts'

const ORIGIN = 'http://app.test'

/** A response of the app: its status and its body, parsed when it is JSON. */
export interface TestAnswer {
  status: number
  headers: Headers
  // The body's shape is what the test is about to prove.
  // eslint-disable-next-line typescript/no-explicit-any -- a test reads fields of it without naming their type
  body: any
}

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const app = env['APP'] as { fetch(request: Request): Promise<Response> }
  return app.fetch(new Request(new URL(path, ORIGIN), { redirect: 'manual', ...init }))
}

async function call(method: string, path: string, body?: unknown): Promise<TestAnswer> {
  const headers = { 'content-type': 'application/json' }
  const response = await send(path, {
    method,
    ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

async function callData<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { body: answer } = (await call(method, `/_app/data/${path}`, body)) as {
    body: { ok?: boolean; data?: unknown; error?: object }
  }
  if (answer.ok === true) return answer.data as T
  throw answer.error === undefined ? new ApiError('server_error', String(answer)) : fromFailure(answer.error)
}

/** The app under test, as a browser reaches it. */
export const app = {
  fetch: send,
  get: (path: string) => call('GET', path),
  post: (path: string, body?: unknown) => call('POST', path, body ?? {}),
  put: (path: string, body?: unknown) => call('PUT', path, body ?? {}),
  patch: (path: string, body?: unknown) => call('PATCH', path, body ?? {}),
  delete: (path: string) => call('DELETE', path),
  /** The data as an anonymous browser sees it, under the access rules. */
  data: {
    async create<C extends CollectionName>(collection: C, fields: InputOf<C>): Promise<RecordOf<C>> {
      const ops = [{ op: 'create', collection, fields }]
      const body = { mutationId: crypto.randomUUID(), ops }
      const { records } = await callData<{ records: unknown[] }>('POST', 'mutate', body)
      return records[0] as RecordOf<C>
    },
    get: <C extends CollectionName>(collection: C, id: string) =>
      callData<RecordOf<C>>('GET', `${collection}/${id}`),
    list<C extends CollectionName>(collection: C, query: Query<C> = {}): Promise<ListPage<RecordOf<C>>> {
      const { where, ...rest } = query
      const params = new URLSearchParams(where === undefined ? {} : { where: JSON.stringify(where) })
      for (const [name, value] of Object.entries(rest))
        if (value !== null && value !== undefined) params.set(name, String(value))
      return callData('GET', `${collection}?${params}`)
    },
  },
}
