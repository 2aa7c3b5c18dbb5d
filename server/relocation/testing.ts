import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import type { AppTree } from '../agent/source/tree.ts'
import { plantsTree } from '../agent/testing/tree.ts'
import { setClock } from '../attachments/testing.ts'
import { callOperator } from '../capabilities/operator/call.ts'
import { bucketExists } from '../cloudflare/products/r2.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { listTagged } from '../cloudflare/products/workers.ts'
import { readConfig, withLocalWorld } from '../config.ts'
import { openConnectionsApp } from '../connections/testing.ts'
import { until } from '../releases/testing.ts'
import { type LocalWorld, startLocalWorld } from '../process/local-world.ts'
import type { Client } from '../testing/app.ts'
import { silentLog } from '../testing/database.ts'

/** The activity log entries and jobs of a test that ships an app and connects another account. */
export const CONNECTION_EFFECTS = {
  activity: {
    'assets.upload': 'some',
    'bucket.create': 'some',
    'connection.reconnected': 1,
    'project.deployed': 1,
    'worker.address': 'some',
    'worker.upload': 'some',
  },
  jobs: { deploy: 'some', provision: 'some' },
} as const

/** The activity log entries and jobs of a test that ships an app, connects another account and ships again. */
export const MOVE_EFFECTS = {
  activity: {
    ...CONNECTION_EFFECTS.activity,
    'bucket.delete': 'some',
    'project.deployed': 2,
    'project.moved': 1,
    'worker.delete': 'some',
  },
  jobs: { ...CONNECTION_EFFECTS.jobs, 'leave-hosting': 1, preview: 'some' },
} as const

/** The server code of the app: it stores plants, issues upload tickets, and reads files. */
const ROUTES = `import { data, files } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.patch('/plants/:id', async (c) =>
  c.json(await data.system.update('plants', c.req.param('id'), await c.req.json())),
)
routes.post('/ticket', async (c) => c.json(await files.ticket({ owner: 'ada' })))
routes.get('/get/:id', async (c) => (await files.get(c.req.param('id'), c.req.raw)) ?? c.text('none', 404))
routes.get('/list', async (c) => c.json(await files.list({ limit: 200 })))
`

/** Returns the files of the app that stores plants and files, as a build would produce them. */
export function storingTree(): AppTree {
  const manifest = plantsTree().get('app.json') ?? ''
  return plantsTree({
    'app.json': manifest.replace('"data"', '"data", "files"'),
    'server/routes.ts': ROUTES,
  })
}

export interface Plant {
  id: string
  name: string
  rev: number
  createdAt: string
  updatedAt: string
  notes: string | null
}

export interface MoveState {
  state: string
  url: string | null
  error: string | null
  move: { state: string; records: number; files: number; problem: string | null } | null
}

/**
 * Opens the service with its local emulators, and a second set of emulators in the place of the real Cloudflare and GitHub. Both sets speak
 * the same protocols, but have different accounts and data.
 */
export async function openMovesApp() {
  const cloud = await openConnectionsApp()
  setClock(cloud)
  const { app } = cloud
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-second-'))
  const world = await startLocalWorld({ dataDir, port: 0, appsPort: 0, control: true, log: silentLog })
  const { cloudflare, github } = withLocalWorld(readConfig({}).config, world)
  app.config.real = { cloudflare: { ...cloudflare, name: 'real' }, github: { ...github, name: 'real' } }

  const controlOf = async <T>(path: string, body: object): Promise<T> => {
    const answer = await fetch(`${world.restUrl}/_control${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.controlToken}` },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as T
  }
  /**
   * Creates an account, and a token with all permissions in it, at the emulator that takes the place of the real Cloudflare in these
   * tests.
   */
  const realAccount = async (name = 'Acme') => {
    const made = await controlOf<{ account: { id: string }; token: string }>('/accounts', { name })
    return { id: made.account.id, token: made.token }
  }
  const order = (match: object, effect: object) =>
    controlOf('/faults', { match: { provider: 'cloudflare', ...match }, do: effect })

  const clearFaults = async () => {
    const headers = { authorization: `Bearer ${world.controlToken}` }
    await fetch(`${world.restUrl}/_control/faults`, { method: 'DELETE', headers })
  }

  const paste = (person: Client, token: string, more: object = {}) =>
    person.call('POST /connections/cloudflare/token', { token, profile: 'real', ...more })

  /** Makes a live project with the capabilities `auth`, `data` and `files` enabled. */
  async function liveProject(name = 'Plants') {
    const { person, project, path } = await cloud.personWithProject(name)
    const from = (await cloud.rowOf(person))?.account_id ?? ''
    return { person, project, path, from, ...(await makeLive(person, project.id)) }
  }

  async function makeLive(person: Client, projectId: string) {
    const path = `/projects/${projectId}`
    for (const key of ['auth', 'data', 'files'])
      assert.equal((await person.call(`PUT ${path}/capabilities/${key}`, { enabled: true })).status, 200)
    await until(async () => {
      const { data } = await person.call<{ provision: { state: string } }>(`GET ${path}/capabilities/files`)
      return data.provision.state === 'idle'
    })
    await cloud.build(projectId, storingTree())
    const shipped = await person.call<MoveState>(`POST ${path}/deploy`)
    assert.equal(shipped.status, 200, shipped.error?.message ?? '')
    return { url: shipped.data.url ?? '' }
  }

  const stateOf = async (person: Client, path: string) =>
    (await person.call<MoveState>(`GET ${path}/deploy`)).data
  const ship = (person: Client, path: string, body: object = {}) =>
    person.call<MoveState>(`POST ${path}/deploy`, body)
  /** Resolves when nothing of the project is left in the account that it moved away from. */
  const settled = (person: Client, path: string) =>
    until(async () => (await stateOf(person, path)).move === null)

  /** Returns what the account itself lists for a project, because the service's registry may be wrong. */
  async function heldBy(person: Client, accountId: string, project: { id: string; slug: string }) {
    const account = await app.platform.accounts.openCloud({
      orgId: person.organizationId,
      actor: 'by hand',
      accountId,
    })
    const workers = await listTagged(account, project.id)
    const buckets = ['files', 'files-pv', 'assets'].map((end) => `${project.slug}-${end}`)
    const there = await Promise.all(buckets.map((name) => bucketExists(account, name)))
    return [...workers.toSorted(), ...buckets.filter((_, n) => there[n])]
  }

  /** Reads the live app's unsent mails in an account, or stores a mail there, through the routes that a move uses. */
  async function mailsIn(
    person: Client,
    project: { id: string; slug: string },
    accountId: string,
    mail?: object,
  ) {
    const request = { tier: 'production' as const, repeatable: true }
    const app = { ...project, org_id: person.organizationId, accountId }
    if (mail !== undefined) {
      const body = { mails: [mail] }
      const sent = { ...request, method: 'POST' as const, path: '/transfer/mails', body, result: z.null() }
      await callOperator(cloud.app.platform, app, sent)
    }
    const result = z.object({ mails: z.array(z.looseObject({ id: z.string() })) })
    const read = { ...request, method: 'GET' as const, path: '/transfer/mails?after=0', result }
    return (await callOperator(cloud.app.platform, app, read)).mails
  }

  async function hostsOf(of: LocalWorld, accountId: string): Promise<string[]> {
    const headers = { authorization: `Bearer ${of.controlToken}` }
    const answer = await fetch(`${of.restUrl}/_control/resources?account=${accountId}`, { headers })
    const { domains } = (await answer.json()) as { domains: { hostname: string }[] }
    return domains.map(({ hostname }) => hostname)
  }

  async function close(): Promise<void> {
    await cloud.close()
    await world.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return {
    ...cloud,
    real: world,
    realAccount,
    order,
    clearFaults,
    paste,
    liveProject,
    makeLive,
    stateOf,
    ship,
    settled,
    heldBy,
    mailsIn,
    hostsOf,
    close,
  }
}
export type MovesApp = Awaited<ReturnType<typeof openMovesApp>>

/** Changes records with the request that a page of the app sends. Returns the status and the records. */
async function mutate(url: string, ops: object[]): Promise<{ status: number; records: Plant[] }> {
  const answer = await cloudFetch(`${url}/_app/data/mutate`, {
    method: 'POST',
    body: JSON.stringify({ mutationId: crypto.randomUUID(), ops }),
  })
  const body = (await answer.json()) as { data?: { records: Plant[] } }
  return { status: answer.status, records: body.data?.records ?? [] }
}

export const addPlants = (url: string, names: readonly string[], fields: object = {}) =>
  mutate(
    url,
    names.map((name) => ({ op: 'create', collection: 'plants', fields: { name, ...fields } })),
  )

/** Reads all plants page by page, as the pages of the app do. */
export async function plantsOf(url: string): Promise<Plant[]> {
  const plants: Plant[] = []
  for (let cursor: string | null = null; ;) {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await cloudFetch(`${url}/_app/data/plants?limit=200${query}`)
    const { data } = (await answer.json()) as { data: { items: Plant[]; nextCursor: string | null } }
    plants.push(...data.items)
    cursor = data.nextCursor
    if (cursor === null) return plants.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }
}

/** Uploads a file as a visitor does. Returns the file's id. */
export async function uploadFile(url: string, bytes: Buffer<ArrayBuffer>): Promise<string> {
  const ticket = await (await cloudFetch(`${url}/api/ticket`, { method: 'POST' })).json()
  const opened = await cloudFetch(`${url}/_app/files`, {
    method: 'POST',
    body: JSON.stringify({ name: 'größe.bin', type: 'application/octet-stream', size: bytes.length }),
    headers: { 'x-files-ticket': ticket as string },
  })
  const { data } = (await opened.json()) as { data: { id: string; token: string } }
  const stored = await cloudFetch(`${url}/_app/files/${data.id}`, {
    method: 'PUT',
    headers: { 'x-files-token': data.token },
    body: bytes,
  })
  assert.equal(stored.status, 200, await stored.text())
  return data.id
}

export const readFile = async (url: string, id: string): Promise<Buffer> =>
  Buffer.from(await (await cloudFetch(`${url}/api/get/${id}`)).arrayBuffer())
