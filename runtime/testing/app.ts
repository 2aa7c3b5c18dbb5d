import { env } from 'cloudflare:workers'
import type { User } from '../auth/types.ts'
import { data } from '../data/server.ts'
import type { CallerData, CollectionName, InputOf, RecordOf } from '../data/types.ts'
import type { ProviderId } from '../types.gen.ts'
import type { NewInvite, Team } from '../team/types.ts'
import { ai, type TestAi } from './ai.ts'
import { answerOfService } from './services.ts'
import { clock, type TestClock } from './clock.ts'
import { countedEvents } from './events.ts'
import { flow, type ServerFlow } from '../flow/server.ts'
import { type JobRun, runJob, runJobs } from './jobs.ts'
import { missingTokenAction, testToken, TOKEN_HEADER } from '../guard/action.ts'
import { postMail, sentMail } from './mail.ts'
import { enterRoom } from './rooms.ts'
import type { PersonApp, TestAnswer, TestApp, TestData } from './person.ts'
import { pay, type TestPay } from './pay.ts'
import { newDevice, shownPushes } from './push.ts'
import { reportProgress } from './progress.ts'
import { renderedPages } from './renders.ts'
import { ApiError, fromFailure } from '../kernel/errors.ts'

const APP_ORIGIN = 'http://app.test'

interface Operator {
  setRole(tier: 'production', userId: string, role: User['role']): Promise<unknown>
}

function appWith(cookie: string | null): TestApp {
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const app = env['APP'] as { fetch(request: Request): Promise<Response> }
    const headers = new Headers(init.headers)
    if (cookie !== null) headers.set('cookie', cookie)
    const request = new Request(new URL(path, APP_ORIGIN), { redirect: 'manual', ...init, headers })
    const response = await app.fetch(request)
    reportProgress()
    return response
  }

  async function callOnce(
    method: string,
    path: string,
    { body, headers }: { body: unknown; headers: Record<string, string> },
  ): Promise<TestAnswer> {
    const response = await send(path, {
      method,
      ...(body === undefined
        ? { headers }
        : { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }

  /** Sends a request. Like a page, repeats the request with a bot check token (capability `guard`) when the app requires one. */
  async function call(method: string, path: string, body?: unknown): Promise<TestAnswer> {
    const answer = await callOnce(method, path, { body, headers: {} })
    const action = answer.status === 403 ? missingTokenAction(answer.body?.error?.field) : null
    if (action === null) return answer
    const headers = { [TOKEN_HEADER]: testToken(action, new URL(APP_ORIGIN).hostname) }
    return await callOnce(method, path, { body, headers })
  }

  async function callData<T>(method: string, path: string, body?: unknown): Promise<T> {
    return bodyIn<T>(await call(method, `/_app/data/${path}`, body))
  }

  const dataOf = (place: { partition?: string }): TestData => ({
    async create<C extends CollectionName>(collection: C, fields: InputOf<C>) {
      const ops = [{ op: 'create', collection, fields }]
      const body = { mutationId: crypto.randomUUID(), ops, ...place }
      const { records } = await callData<{ records: unknown[] }>('POST', 'mutate', body)
      return records[0] as RecordOf<C>
    },
    get: (collection, id) => callData('GET', `${collection}/${id}?${new URLSearchParams(place)}`),
    list(collection, query = {}) {
      const { where, ...rest } = query
      const named = where === undefined ? place : { ...place, where: JSON.stringify(where) }
      const params = new URLSearchParams(named)
      for (const [name, value] of Object.entries(rest))
        if (value !== null && value !== undefined) params.set(name, String(value))
      return callData('GET', `${collection}?${params}`)
    },
  })

  return {
    fetch: send,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body ?? {}),
    put: (path, body) => call('PUT', path, body ?? {}),
    patch: (path, body) => call('PATCH', path, body ?? {}),
    delete: (path) => call('DELETE', path),
    data: { ...dataOf({}), of: (partition) => dataOf({ partition }) },
    room: (name, id, { partition } = {}) => enterRoom(send, { name, id, partition }),
  }
}

function bodyIn<T>({ body }: TestAnswer): T {
  const answer = body as { ok?: boolean; data?: unknown; error?: object }
  if (answer.ok === true) return answer.data as T
  throw answer.error === undefined ? new ApiError('server_error', String(body)) : fromFailure(answer.error)
}

/** The app as a visitor uses it, and everything that a test can do or read without a browser. */
export interface WholeApp extends TestApp {
  /** Data access without access rules, as in server code. */
  system: CallerData
  /** Creates a person, who may be staff. Returns the app as that person uses it. */
  signUp(name: string, as?: { role: User['role'] }): Promise<PersonApp>
  /** Creates a team of these people, owned by the first, and returns its id. */
  team(name: string, owner: PersonApp, ...members: PersonApp[]): Promise<string>
  /** Runs the queued jobs. */
  runJobs(): Promise<JobRun>
  /** Runs one file of `server/jobs/` now, as a schedule or a timer does. */
  runJob: typeof runJob
  /** Links a person's account at a service of `providers`. */
  link(person: PersonApp, provider: ProviderId): Promise<void>
  /** Sets a service's response to `connect.fetch`: `app.answers('github', 'GET /user', { login: 'ada' })`. */
  answers: typeof answerOfService
  /** Returns the events that the app has counted, oldest first. Waits until there are `atLeast` events, by default one. */
  events: typeof countedEvents
  /** Returns the mail that the app sent, oldest first. */
  mail: typeof sentMail
  /** Returns the notifications that devices received, oldest first. */
  pushes: typeof shownPushes
  /** Returns the pages that the app has rendered, oldest first. */
  renders: typeof renderedPages
  /** Delivers a mail to a collection that `mailboxes` in `app.json` declares. */
  postMail: typeof postMail
  /** Flows, as in server code. A run continues by itself until it waits for a signal or a time. */
  flow: ServerFlow
  /** Payments without the pages of Stripe. */
  pay: TestPay
  /** Scripts the answers of models, and returns the prompts they received. */
  ai: TestAi
  /** The app's clock, which a test can move forward. */
  clock: TestClock
}

export const app: WholeApp = {
  ...appWith(null),
  system: data.system,
  runJob,
  events: countedEvents,
  flow,
  answers: answerOfService,
  async link(person, provider) {
    bodyIn(await person.post(`/_app/connect/${provider}/key`, { key: 'the-key-of-a-test' }))
  },
  mail: sentMail,
  pushes: shownPushes,
  renders: renderedPages,
  postMail,
  pay,
  ai,
  clock,
  async signUp(name, { role } = { role: 'member' }) {
    // A random address, because tests may use a name twice, but an address only once.
    const email = `${crypto.randomUUID()}@app.test`
    const answer = await app.post('/_app/auth/sign-up', { email, password: crypto.randomUUID(), name })
    const { user } = bodyIn<{ user: User }>(answer)
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    if (role === 'staff') await (env['OPERATOR'] as Operator).setRole('production', user.id, role)
    const person = appWith(cookie)
    return {
      ...person,
      user: { ...user, role },
      addDevice: async () =>
        bodyIn<{ id: string }>(await person.post('/_app/push/devices', await newDevice(user.id))),
    }
  },
  async team(name, owner, ...members) {
    const { id } = bodyIn<Team>(await owner.post('/_app/team', { name }))
    for (const member of members) {
      const { url } = bodyIn<NewInvite>(await owner.post(`/_app/team/${id}/invites`))
      const token = new URL(url).searchParams.get('invite')
      bodyIn(await member.post('/_app/team/invites/accept', { token }))
    }
    return id
  },
  runJobs,
}
