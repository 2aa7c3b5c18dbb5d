import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AppTree, completeTree, starterTree } from '../agent/source/tree.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { type Config, readConfig, withLocalWorld } from '../config.ts'
import { transact } from '../db/database.ts'
import { moveRef, readRef, writeCommit, writeTree } from '../git/store.ts'
import { startLocalWorld } from '../process/local-world.ts'
import type { Core } from '../platform.ts'
import { testApp } from '../testing/app.ts'
import { silentLog } from '../testing/database.ts'
import { findStored } from '../testing/stored.ts'
import { type Deployment, insertDeployment, readDeployment } from '../deployments/store.ts'

export interface DeployState {
  state: string
  url: string | null
  sha: string | null
  builtSha: string | null
  upToDate: boolean
  error: string | null
}

const CALLS_PER_MINUTE = 60_000

/** How calls to an account fail, and what an API request that makes such calls then returns. */
export const ACCOUNT_FAILURES = [
  { name: 'refuses calls', failure: { status: 400 }, outcome: [502, 'upstream_error'] },
  // The pause is longer than a request waits for the account.
  { name: 'asks for a pause', failure: { status: 429, retryAfter: 60 }, outcome: [503, 'unavailable'] },
] as const

/** Starts the whole service and the local emulator of Cloudflare. `via` may put a proxy between them. */
export async function openCloudApp(
  via: (api: string) => Promise<string> = async (api) => api,
  change: Partial<Config> = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-cloud-'))
  const world = await startLocalWorld({ dataDir, port: 0, appsPort: 0, control: true, log: silentLog })
  const config = withLocalWorld(readConfig({}).config, world)
  const app = await testApp({
    cloudflare: { ...config.cloudflare, api: await via(config.cloudflare.api), perMinute: CALLS_PER_MINUTE },
    github: config.github,
    modelBaseUrl: config.modelBaseUrl,
    stripe: config.stripe,
    appsPort: config.appsPort,
    limits: { keyPerMinute: 1e6, sessionPerMinute: 1e6, addressPerMinute: 1e6 },
    ...change,
  })
  await app.work()

  /** Signs up a person, connects a cloud account and makes an empty project. */
  async function personWithProject(name = 'Plants') {
    const person = await app.signUp()
    await until(async () => {
      const { data } = await person.call<{ cloudflare: { connected: boolean } }>('GET /connections')
      return data.cloudflare.connected
    })
    const { data } = await person.call<{ id: string; slug: string }>('POST /projects', { name })
    app.effects.prepared({ events: { 'project.created': 1 } })
    return { person, project: data, path: `/projects/${data.id}` }
  }

  /**
   * Waits until no provisioning job of a project is waiting or running. A test that switches capabilities calls this before its next
   * change, so that the number of jobs, uploads and other effects does not depend on what is provisioned together.
   */
  const untilProvisioned = (projectId: string) =>
    until(async () => {
      const { rowCount } = await app.platform.pool.query(
        `select 1 from pgboss.job where name = 'provision' and singleton_key = $1 and state in ('created', 'active', 'retry')`,
        [projectId],
      )
      return rowCount === 0
    })

  /** Commits files to main, as a green build does at its end. */
  async function build(projectId: string, files: AppTree): Promise<string> {
    const { db } = app.platform
    const at = app.clock.now()
    return await transact(db, async (trx) => {
      const tree = await writeTree(trx, projectId, completeTree(files, new Set()), at)
      const from = await readRef(db, projectId, 'refs/heads/main')
      const parents = from === null ? [] : [from]
      const author = 'Test <test@example.test>'
      const sha = await writeCommit(trx, projectId, { tree, parents, author, message: 'Build', at })
      assert.ok(await moveRef(trx, projectId, 'refs/heads/main', { from, to: sha }))
      return sha
    })
  }

  const accountOf = (orgId: string) => app.platform.accounts.openCloud({ orgId, actor: 'by hand' })

  /** Counts the calls that the account has received, by method and end of the path. */
  async function countCalls(method?: string, pathEnd = ''): Promise<number> {
    const answer = await fetch(`${world.restUrl}/_control/journal?since=0`, {
      headers: { authorization: `Bearer ${world.controlToken}` },
    })
    const { entries } = (await answer.json()) as { entries: { method: string; path: string }[] }
    return entries.filter((one) => (method ?? one.method) === one.method && one.path.endsWith(pathEnd)).length
  }

  /** Makes all calls to an account fail, except the verification of tokens, until the returned function is called. */
  async function failCalls(
    accountId: string,
    failure: { status: number; retryAfter?: number },
  ): Promise<() => Promise<void>> {
    const changeFaults = async (method: 'POST' | 'DELETE', body?: object) => {
      const answer = await fetch(`${world.restUrl}/_control/faults`, {
        method,
        headers: { authorization: `Bearer ${world.controlToken}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      assert.ok(answer.ok, `control answered ${answer.status}`)
    }
    await changeFaults('POST', {
      match: { provider: 'cloudflare', account: accountId, path: '/accounts', times: 1000 },
      do: failure,
    })
    return () => changeFaults('DELETE')
  }

  /** Returns the files of the local emulators, including their logs, that contain any of these words. */
  const findInCloud = (words: string[]) => findStored(dataDir, words)

  async function close(): Promise<void> {
    await app.close()
    await world.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return {
    app,
    world,
    personWithProject,
    untilProvisioned,
    build,
    accountOf,
    countCalls,
    failCalls,
    findInCloud,
    close,
  }
}
export type CloudApp = Awaited<ReturnType<typeof openCloudApp>>

/**
 * Polls every 50 ms until the condition is true, and fails the test after `withinMs`. For changes in another process, which cannot send
 * an event to this process.
 */
export async function until(isDone: () => Promise<boolean>, withinMs = 30_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await isDone())) {
    assert.ok(performance.now() < deadline, 'did not happen in time')
    await sleep(50)
  }
}

/** Inserts a production deployment in the state `deploying`, without the job that would carry it out. */
export async function beginShip(
  { db, clock }: Pick<Core, 'db' | 'clock'>,
  ship: { orgId: string; projectId: string; sha: string },
): Promise<Deployment> {
  const id = await insertDeployment(db, { ...ship, tier: 'production', actor: 'test', at: clock.now() })
  const deployment = await readDeployment(db, ship.orgId, id)
  assert.ok(deployment)
  return deployment
}

/** Returns the starter app with one more route, which returns `word`. */
export function appSaying(word: string): AppTree {
  const routes = `import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/word', (c) => c.text('${word}'))
`
  return new Map([...starterTree('Plants'), ['server/routes.ts', routes]])
}

/** Returns the word of an app made by `appSaying`. The word shows which version is served. */
export const wordAt = async (url: string): Promise<string> =>
  await (await cloudFetch(`${url}/api/word`)).text()

/** Calls the app every 20 ms and collects each distinct response. */
export function watchApp(url: string) {
  const done = new AbortController()
  const seen = new Set<string>()
  const watching = (async () => {
    while (!done.signal.aborted) {
      const answer = await cloudFetch(`${url}/api/word`)
      seen.add(answer.status === 200 ? await answer.text() : `status ${answer.status}`)
      await sleep(20)
    }
  })()
  return {
    stop: async () => {
      done.abort()
      await watching
      return [...seen]
    },
  }
}
