import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localBackend } from '../cloudflare/products/ai/backend.ts'
import { createAccount } from '../cloudflare/accounts/accounts.ts'
import { ApiFailure } from '../cloudflare/rest/failure.ts'
import { type ApiCloud, apiRoutes } from '../cloudflare/routes.ts'
import { Blobs } from '../cloudflare/store/blobs.ts'
import type { GroupPlan } from '../cloudflare/workerd/plan.ts'
import type { Resource } from '../cloudflare/store/resources.ts'
import { BrowserRenderer } from '../cloudflare/products/browser/rendering.ts'
import { Videos } from '../cloudflare/products/stream/videos.ts'
import { TailSessions } from '../cloudflare/observability/tail/sessions.ts'
import { Telemetry } from '../cloudflare/observability/telemetry/telemetry.ts'
import { issueToken } from '../cloudflare/accounts/tokens.ts'
import { Faults } from '../faults/faults.ts'
import type { WorldClock } from '../world/clock.ts'
import { Journal } from '../world/journal.ts'
import { silentLog } from '../world/log.ts'
import { openStore } from '../schema.ts'
import { HeldClock } from './held-clock.ts'
import { dropEmptyGroup, unboundGroup, groupBoundByName } from '../cloudflare/scripts/groups.ts'

interface Envelope {
  success: boolean
  errors: { code: number; message: string }[]
  result: unknown
  result_info?: Record<string, number>
}

export interface TestCloud extends ApiCloud {
  accountId: string
  token: string
  /** A clock that only tests advance. */
  clock: WorldClock
  /** One entry for each validation of a group, in order: the names of the workers in the group. */
  booted: string[][]
  reloaded: string[]
  /** The ids of the queues whose deliveries were checked, in order. */
  checked: string[]
  /** Names of resources that this cloud treats as containing data. A test adds names. */
  inUse: Set<string>
  /** The names of the resources whose data was moved to another group. */
  carried: string[]
  call(method: string, path: string, body?: object, token?: string): Promise<{ status: number } & Envelope>
  /** Sends a request whose body is not JSON. `headers` can replace the token of the account. */
  send(
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  ): Promise<Response>
  close(): void
}

const noWorkers = () => {
  throw new Error('this cloud starts no workers')
}

/** Creates the REST API with a store in memory. No workers are started, so a worker's exports are read from its source text. */
export function testCloud(): TestCloud {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-cloud-'))
  const store = openStore(':memory:')
  const booted: string[][] = []
  const reloaded: string[] = []
  const checked: string[] = []
  const inUse = new Set<string>()
  const carried: string[] = []
  const isStored = ({ name }: Resource) => inUse.has(name)
  const account = createAccount(store, { name: 'Acme', plan: 'paid', at: 1 })
  const token = issueToken(store, { kind: 'api', accountId: account.id, scopes: [], at: 1 }).secret
  const blobs = new Blobs(dir)
  const clock = new HeldClock()
  const telemetry = new Telemetry(':memory:')
  const cloud: ApiCloud = {
    store,
    blobs,
    telemetry,
    videos: new Videos({
      store,
      dir: join(dir, 'stream'),
      now: () => Date.now(),
      timeScale: 1,
      signingKey: 'a key for tests',
      baseUrl: () => 'http://stream.test',
    }),
    rendering: new BrowserRenderer({
      chromium: null,
      dir: join(dir, 'chrome'),
      guard: '',
      account: null,
      appsPort: 0,
      egressAllow: [],
    }),
    ai: localBackend(() => Response.json({})),
    tails: new TailSessions(telemetry),
    journal: new Journal(store),
    faults: new Faults(0),
    log: silentLog,
    now: clock.now,
    timeScale: 1,
    relay: null,
    signingKey: 'a key for tests',
    apps: {
      hosts: new Map(),
      warm: [],
      starts: 0,
      group: () => {
        throw new Error('this cloud starts no workers')
      },
      validate: async (plan: GroupPlan, candidate) => {
        booted.push(plan.workers.map((worker) => worker.script.name).sort())
        const main = candidate.content.modules.find((module) => module.name === candidate.content.mainModule)
        const source =
          main === undefined ? '' : Buffer.from(await blobs.read(plan.accountId, main.digest)).toString()
        if (source.includes('BROKEN')) throw new ApiFailure(400, 10021, 'Uncaught Error: BROKEN')
        const classes = [...source.matchAll(/export class (\w+)/g)].map((match) => match[1] ?? '')
        const handlers = source.includes('export default')
          ? ['fetch', 'queue', 'scheduled'].filter((name) => source.includes(name))
          : []
        return { handlers, namedHandlers: classes.map((name) => ({ name, handlers: [] })), startupTimeMs: 1 }
      },
      applyGroupChange: (_accountId, groupId) => void reloaded.push(groupId),
      deleteObjectData: async () => {},
      listen: async () => {},
      listObjects: () => [],
    },
    instances: {
      list: () => [],
      describe: async () => [],
      deleteAll: async () => {},
      create: noWorkers,
      read: noWorkers,
      change: noWorkers,
      sendEvent: noWorkers,
      remove: noWorkers,
    },
    queues: { check: (queueId) => void checked.push(queueId) },
    cronScheduler: { check: () => {} },
    groups: { unboundGroup, groupBoundByName, dropEmptyGroup },
    data: {
      isStored,
      request: async () => {
        throw new Error('this cloud starts no workers')
      },
      delete: async () => {},
      moveWhileStopped: async (_accountId, _groupIds, commit) =>
        commit({ isStored, moveData: (resource) => void carried.push(resource.name) }),
    },
  }
  const app = apiRoutes(cloud)
  const pathOf = (path: string) => path.replace('/A/', `/accounts/${account.id}/`)
  return {
    ...cloud,
    accountId: account.id,
    token,
    clock,
    booted,
    reloaded,
    checked,
    inUse,
    carried,
    call: async (method, path, body, secret = token) => {
      const response = await app.request(pathOf(path), {
        method,
        headers: { authorization: `Bearer ${secret}` },
        ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      })
      return { status: response.status, ...((await response.json()) as Envelope) }
    },
    send: async (path, { headers, ...init }) =>
      app.request(pathOf(path), { ...init, headers: { authorization: `Bearer ${token}`, ...headers } }),
    close: () => {
      cloud.journal.flush()
      telemetry.close()
      store.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

export function uploadForm(source: string, metadata: object = {}): FormData {
  const form = new FormData()
  form.set(
    'metadata',
    JSON.stringify({ main_module: 'index.js', compatibility_date: '2026-06-01', ...metadata }),
  )
  form.set('index.js', new File([source], 'index.js', { type: 'application/javascript+module' }))
  return form
}
