import { env } from 'cloudflare:workers'
import type { User } from '../auth/types.ts'
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

/** The app under test, as one browser reaches it. */
export interface TestApp {
  fetch(path: string, init?: RequestInit): Promise<Response>
  get(path: string): Promise<TestAnswer>
  post(path: string, body?: unknown): Promise<TestAnswer>
  put(path: string, body?: unknown): Promise<TestAnswer>
  patch(path: string, body?: unknown): Promise<TestAnswer>
  delete(path: string): Promise<TestAnswer>
  /** The data as this browser sees it, under the access rules. */
  data: {
    create<C extends CollectionName>(collection: C, fields: InputOf<C>): Promise<RecordOf<C>>
    get<C extends CollectionName>(collection: C, id: string): Promise<RecordOf<C>>
    list<C extends CollectionName>(collection: C, query?: Query<C>): Promise<ListPage<RecordOf<C>>>
  }
}

/** The browser of a person who is signed in. */
export interface PersonApp extends TestApp {
  user: User
}

/** Returns the app as the browser with this cookie reaches it. */
function appWith(cookie: string | null): TestApp {
  function send(path: string, init: RequestInit = {}): Promise<Response> {
    const app = env['APP'] as { fetch(request: Request): Promise<Response> }
    const headers = new Headers(init.headers)
    if (cookie !== null) headers.set('cookie', cookie)
    return app.fetch(new Request(new URL(path, ORIGIN), { redirect: 'manual', ...init, headers }))
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
    return unwrap<T>(await call(method, `/_app/data/${path}`, body))
  }

  return {
    fetch: send,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body ?? {}),
    put: (path, body) => call('PUT', path, body ?? {}),
    patch: (path, body) => call('PATCH', path, body ?? {}),
    delete: (path) => call('DELETE', path),
    data: {
      async create<C extends CollectionName>(collection: C, fields: InputOf<C>) {
        const ops = [{ op: 'create', collection, fields }]
        const body = { mutationId: crypto.randomUUID(), ops }
        const { records } = await callData<{ records: unknown[] }>('POST', 'mutate', body)
        return records[0] as RecordOf<C>
      },
      get: (collection, id) => callData('GET', `${collection}/${id}`),
      list(collection, query = {}) {
        const { where, ...rest } = query
        const params = new URLSearchParams(where === undefined ? {} : { where: JSON.stringify(where) })
        for (const [name, value] of Object.entries(rest))
          if (value !== null && value !== undefined) params.set(name, String(value))
        return callData('GET', `${collection}?${params}`)
      },
    },
  }
}

function unwrap<T>({ body }: TestAnswer): T {
  const answer = body as { ok?: boolean; data?: unknown; error?: object }
  if (answer.ok === true) return answer.data as T
  throw answer.error === undefined ? new ApiError('server_error', String(body)) : fromFailure(answer.error)
}

/** The app as a visitor reaches it; `signUp` makes a person and returns the app as that person reaches it. */
export const app: TestApp & { signUp(name: string): Promise<PersonApp> } = {
  ...appWith(null),
  async signUp(name) {
    // A test may use a name again, and an address has one account.
    const email = `${crypto.randomUUID()}@app.test`
    const answer = await app.post('/_app/auth/sign-up', { email, password: crypto.randomUUID(), name })
    const { user } = unwrap<{ user: User }>(answer)
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { ...appWith(cookie), user }
  },
}
