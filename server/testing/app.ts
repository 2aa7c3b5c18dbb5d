import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCheckers } from '../agent/check/pool/pool.ts'
import { openPackages } from '../agent/packages/packages.ts'
import { openTextWorkers } from '../agent/text/workers.ts'
import { createApp } from '../app.ts'
import { createAuth } from '../auth/auth.ts'
import { type Config, readConfig } from '../config.ts'
import { openAccounts } from '../connections/open-accounts.ts'
import { loadKeyring } from '../crypto/keyring.ts'
import { openListener } from '../db/listener.ts'
import { ENDPOINTS } from '../tables/endpoints.ts'
import type { Scope } from '../http/scopes.ts'
import { Counters } from '../http/limits/counters.ts'
import { createLimits } from '../http/limits/limits.ts'
import { JOB_TABLE } from '../tables/job-table.ts'
import { type Jobs, openJobs } from '../jobs/jobs.ts'
import type { Clock } from '../lib/clock.ts'
import { openMailer } from '../mail/enqueue-mail.ts'
import { createMetrics } from '../tables/metric-table.ts'
import { endLiveTurns } from '../plan/live-turn.ts'
import { UPWARD_PORTS } from '../tables/upward-ports.ts'
import type { Platform } from '../platform.ts'
import { checkResponses } from './declared-responses.ts'
import { silentLog, testDatabase } from './database.ts'
import { EffectRecorder } from './effects.ts'
import { quickPasswords } from './passwords.ts'
import { reportErrors } from './provoked.ts'

/**
 * Child processes that check generated code. All applications of this test process share these child processes, because each needs two
 * seconds of CPU time to start. They end with the test process.
 */
const sharedCheckers = openCheckers({ size: 1, log: silentLog })
const textWorkers = openTextWorkers({ size: 1, log: silentLog })

/** A clock that only moves when a test moves it. */
export class TestClock implements Clock {
  #now = new Date('2026-06-01T12:00:00.000Z')
  now(): Date {
    return this.#now
  }
  advance(ms: number): void {
    this.#now = new Date(this.#now.getTime() + ms)
  }
}

export interface ApiResponse<T = unknown> {
  status: number
  headers: Headers
  requestId: string | null
  /** The `data` of a successful response; undefined for an error. */
  data: T
  error: { code: string; message: string } | undefined
}

export interface Client {
  organizationId: string
  headers: Record<string, string>
  call<T = Record<string, unknown>>(
    route: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse<T>>
  raw(route: string, init?: RequestInit): Promise<Response>
}

/**
 * Returns the whole application with its own database, in this process and without a port. Jobs are stored but do not run, so that a test
 * sees exactly what a request has stored.
 */
export async function testApp(change: Partial<Config> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-app-'))
  const database = await testDatabase()
  const config: Config = { ...readConfig({ SLIPWAY_DATA_DIR: dataDir }).config, ...change }
  const clock = new TestClock()
  const jobs = await openJobs({ url: database.url, log: silentLog, definitions: JOB_TABLE })
  const listener = await openListener({ url: database.url, log: silentLog })
  const packages = openPackages({ dataDir, allow: [], log: silentLog })
  const keyring = loadKeyring({ secrets: null, file: config.secretsFile })
  const basis = { config, db: database.db, clock, log: silentLog, keyring }
  const platform: Platform & { jobs: Jobs<Platform> } = {
    ...basis,
    pool: database.pool,
    streamPool: database.streamPool,
    jobs,
    listener,
    checkers: sharedCheckers,
    packages,
    textWorkers,
    counters: new Counters(),
    metrics: createMetrics(config.metricsToken),
    accounts: openAccounts(basis),
    mailer: openMailer({ ...basis, jobs }),
    ...UPWARD_PORTS,
  }
  const auth = createAuth(platform, quickPasswords)
  const effects = new EffectRecorder(database.pool)
  const endpoints = effects.calls.watch(checkResponses(reportErrors(ENDPOINTS)))
  const app = createApp(platform, endpoints, createLimits(config.limits, platform.counters), {
    auth: auth.handler,
    page: () => Promise.resolve(null),
  })
  /** Starts running jobs. Without this call jobs are only stored. */
  const work = async () => {
    effects.hasWorker = true
    await jobs.work(platform)
  }
  const close = async () => {
    await effects.close()
    await endLiveTurns(platform)
    await packages.close()
    await jobs.stop()
    await listener.close()
    await auth.close()
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }

  const request = (route: string, init: RequestInit = {}) => {
    const [method, path = ''] = route.split(' ')
    const url = /^\/(api|health|livez|readyz|metrics|openapi|docs|i\/)/.test(path) ? path : `/api/v1${path}`
    return Promise.resolve(app.request(`${config.baseUrl}${url}`, { ...init, method: method ?? 'GET' }))
  }
  const clientOf = (organizationId: string, headers: Record<string, string>): Client => ({
    organizationId,
    headers,
    raw: (route, init = {}) =>
      request(route, { ...init, headers: { ...headers, ...(init.headers as Record<string, string>) } }),
    call: async <T>(route: string, body?: unknown, more: Record<string, string> = {}) =>
      readResponse<T>(
        await request(route, {
          headers: { 'content-type': 'application/json', ...headers, ...more },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      ),
  })

  let people = 0
  /** Returns a signed-in person who owns a new organization. */
  const signUp = async (name = `Person ${++people}`): Promise<Client & { email: string }> => {
    const email = `${name.toLowerCase().replaceAll(/\W+/g, '.')}.${++people}@example.test`
    const answer = await request('POST /api/auth/sign-up/email', {
      headers: { 'content-type': 'application/json', origin: config.baseUrl },
      body: JSON.stringify({ name, email, password: 'correct horse battery' }),
    })
    if (!answer.ok) throw new Error(`sign-up answered ${answer.status}: ${await answer.text()}`)
    const cookie = answer.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ')
    const headers = { cookie, origin: config.baseUrl }
    if (config.localWorld)
      effects.prepared({
        jobs: { 'connect-local-cloud': 1, 'connect-local-code-host': 1 },
        ...(effects.hasWorker && { activity: { 'connection.connected': 2 } }),
      })
    const me = await clientOf('', headers).call<{ organization: { id: string } }>('GET /me')
    return { ...clientOf(me.data.organization.id, headers), email }
  }
  /** Returns a client with a new API key. Without `scopes` the key has the scopes of a new key, which do not permit deploying. */
  const keyFor = async (person: Client, scopes?: Scope[]): Promise<Client & { key: string }> => {
    const made = await person.call<{ key: string }>('POST /keys', { name: 'test', ...(scopes && { scopes }) })
    const { key } = made.data
    effects.prepared({ activity: { 'api_key.created': 1 } })
    return { ...clientOf(person.organizationId, { authorization: `Bearer ${key}` }), key }
  }
  const nobody = clientOf('', {})
  return { app, platform, clock, config, effects, work, request, signUp, keyFor, nobody, close }
}
export type TestApp = Awaited<ReturnType<typeof testApp>>

async function readResponse<T>(response: Response): Promise<ApiResponse<T>> {
  const body = (await response.json()) as { data?: T; error?: { code: string; message: string } }
  return {
    status: response.status,
    headers: response.headers,
    requestId: response.headers.get('x-request-id'),
    data: body.data as T,
    error: body.error,
  }
}

/** Returns the types of an organization's events, the oldest first. */
export async function eventsOf(app: TestApp, client: Client): Promise<string[]> {
  const rows = await app.platform.db
    .selectFrom('events')
    .select('type')
    .where('org_id', '=', client.organizationId)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.type)
}
