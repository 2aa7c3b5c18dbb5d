import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type AppTree, starterTree } from '../agent/source/tree.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { type CloudApp, type DeployState, openCloudApp, until } from '../releases/testing.ts'
import type { Client } from '../testing/app.ts'
import { leaves } from '../testing/effects.ts'

interface Analytics {
  state: string
  windowHours: number
  requests: number
  errors: number
  series: { at: string; requests: number; errors: number }[]
}
interface LiveErrors {
  state: string
  items: { message: string; stack: string | null; route: string | null; count: number; lastAt: string }[]
  reason?: string
}
interface Traffic {
  projects: { projectId: string; name: string; requests: number; errors: number }[]
  covered: number
}

/** An app in which one route succeeds and two throw, so that the numbers of errors and requests differ. */
function brittleApp(): AppTree {
  const routes = `import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/word', (c) => c.text('fine'))
routes.get('/dry', () => {
  throw new Error('the pump is dry')
})
routes.get('/lost', () => {
  throw new TypeError('no such plant')
})
`
  return new Map([...starterTree('Plants'), ['server/routes.ts', routes]])
}

describe('signals of live apps', () => {
  let cloud: CloudApp
  let mine: Awaited<ReturnType<typeof shipApp>>
  let other: Awaited<ReturnType<typeof shipApp>>

  async function shipApp(name: string, app: AppTree) {
    const made = await cloud.personWithProject(name)
    await cloud.build(made.project.id, app)
    const { data, error } = await made.person.call<DeployState>(`POST ${made.path}/deploy`)
    assert.equal(data?.state, 'live', String(error?.message))
    return { ...made, url: data.url ?? '' }
  }
  /** Sets the service's clock to real time, which the local emulator of Cloudflare uses for its counts. */
  const atRealTime = () => {
    const { clock } = cloud.app
    clock.advance(Date.now() - clock.now().getTime())
  }
  const afterAMinute = () => cloud.app.clock.advance(61_000)
  const readAnalytics = async ({ person, path }: typeof mine) =>
    (await person.call<Analytics>(`GET ${path}/analytics`)).data
  const readErrors = async ({ person, path }: typeof mine) =>
    (await person.call<LiveErrors>(`GET ${path}/errors`)).data
  const readTraffic = async (person: Client) => (await person.call<Traffic>('GET /traffic')).data
  const callControl = async (path: string, body: object) => {
    const answer = await fetch(`${cloud.world.restUrl}/_control${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cloud.world.controlToken}` },
      body: JSON.stringify(body),
    })
    assert.ok(answer.ok, await answer.text())
  }
  const accountOf = async (person: Client): Promise<string> => {
    const row = await cloud.app.platform.db
      .selectFrom('connections')
      .select('account_id')
      .where('org_id', '=', person.organizationId)
      .where('provider', '=', 'cloudflare')
      .executeTakeFirstOrThrow()
    return row.account_id ?? ''
  }

  before(async () => {
    cloud = await openCloudApp()
    ;[mine, other] = await Promise.all([shipApp('Plants', brittleApp()), shipApp('Birds', brittleApp())])
    for (const path of ['word', 'word', 'dry', 'dry', 'lost']) await cloudFetch(`${mine.url}/api/${path}`)
    await cloudFetch(`${other.url}/api/word`)
    atRealTime()
  })
  after(() => cloud.close())

  test('a project that was never deployed has no analytics, errors or traffic, and the error list says why', async () => {
    const fresh = await cloud.personWithProject('Fresh')
    assert.deepEqual(await readAnalytics({ ...fresh, url: '' }), { state: 'unavailable' })
    const none = await readErrors({ ...fresh, url: '' })
    assert.deepEqual([none.state, none.items], ['unavailable', []])
    assert.match(none.reason ?? '', /Ship it/)
    assert.deepEqual(await readTraffic(fresh.person), { projects: [], covered: 0 })
  })

  test('errors thrown by app code are grouped by message and route, the latest first', async () => {
    await until(async () => {
      afterAMinute()
      return (await readErrors(mine)).items.reduce((sum, item) => sum + item.count, 0) === 3
    })
    const { state, items } = await readErrors(mine)
    assert.equal(state, 'ok')
    assert.deepEqual(
      items.map(({ message, route, count }) => [message, route, count]),
      [
        ['no such plant', '/api/lost', 1],
        ['the pump is dry', '/api/dry', 2],
      ],
    )
    // Line 9 of `server/routes.ts` throws, at the column of `new`. The bundle that is deployed is minified.
    assert.match(items[0]?.stack ?? '', /TypeError: no such plant\n.*\(?server\/routes\.ts:9:9/)
    assert.ok(Math.abs(Date.parse(items[0]?.lastAt ?? '') - Date.now()) < 60_000)
    assert.deepEqual((await readErrors(other)).items, [], 'errors of another organization')
  })

  test('the stack of a live error stays as logged when the deployed bundle differs from the bundle that the service makes now', async () => {
    const { db } = cloud.app.platform
    const ofMine = () => db.updateTable('deployments').where('project_id', '=', mine.project.id)
    await ofMine().set({ content_hash: 'of an earlier runtime' }).execute()
    const { items } = await readErrors(mine)
    assert.match(items[0]?.stack ?? '', /TypeError: no such plant\n.*worker\.js:\d+:\d+/)
  })

  test('analytics of an app count requests and errors of the last 24 hours, hour by hour, and their sum', async () => {
    afterAMinute()
    const shown = await readAnalytics(mine)
    assert.deepEqual([shown.state, shown.windowHours, shown.errors], ['ok', 24, 3])
    // The number varies, because it includes the health checks of the deployment.
    assert.ok(shown.requests >= 5 && shown.requests < 20, `${shown.requests} requests`)
    assert.equal(shown.series.length, 25)
    for (const key of ['requests', 'errors'] as const) {
      assert.equal(
        shown.series.reduce((sum, hour) => sum + hour[key], 0),
        shown[key],
      )
    }
    assert.ok(shown.series.every((hour, i, all) => i === 0 || hour.at > (all[i - 1]?.at ?? '')))
  })

  test("the traffic overview contains the live projects of the caller's organization only", async () => {
    const own = await readTraffic(mine.person)
    assert.equal(own.covered, 1)
    assert.deepEqual(
      own.projects.map(({ projectId, name, errors }) => [projectId, name, errors]),
      [[mine.project.id, 'Plants', 3]],
    )
    const theirs = await readTraffic(other.person)
    assert.deepEqual(
      theirs.projects.map(({ projectId, errors }) => [projectId, errors]),
      [[other.project.id, 0]],
    )
    const foreign = await other.person.call(`GET ${mine.path}/analytics`)
    assert.equal(foreign.status, 404)
  })

  test('analytics and traffic of an organization share one Cloudflare query per minute', async () => {
    afterAMinute()
    const before = await cloud.countCalls('POST', '/graphql')
    await Promise.all([readAnalytics(mine), readTraffic(mine.person), readAnalytics(mine)])
    await readTraffic(mine.person)
    assert.equal((await cloud.countCalls('POST', '/graphql')) - before, 1)
    afterAMinute()
    await readAnalytics(mine)
    assert.equal((await cloud.countCalls('POST', '/graphql')) - before, 2)
  })

  test('a failed Cloudflare query makes analytics and traffic unavailable, and analytics are back after a minute', async () => {
    afterAMinute()
    const account = await accountOf(mine.person)
    for (const path of ['/graphql', '/workers/observability/telemetry/query']) {
      await callControl('/faults', {
        match: { provider: 'cloudflare', path, account, times: 1 },
        do: { status: 400 },
      })
    }
    assert.deepEqual(await readAnalytics(mine), { state: 'unavailable' })
    assert.deepEqual(await readTraffic(mine.person), { projects: [], covered: 0 })
    afterAMinute()
    assert.equal((await readAnalytics(mine)).state, 'ok')
  })

  test('the error list names a permission that the Cloudflare token lacks, and a revoked token makes all analytics unavailable', async () => {
    leaves({ activity: { 'connection.expired failed': 1 } })
    afterAMinute()
    const account = await accountOf(other.person)
    await callControl('/tokens/narrow', {
      account,
      scopes: ['account-settings.read', 'workers-scripts.write'],
    })
    assert.deepEqual(await readAnalytics(other), { state: 'unavailable' })
    const refused = await readErrors(other)
    assert.equal(refused.state, 'unavailable')
    assert.match(refused.reason ?? '', /Observability/)

    await callControl('/tokens/revoke', { account })
    afterAMinute()
    assert.deepEqual(await readAnalytics(other), { state: 'unavailable' })
    assert.match((await readErrors(other)).reason ?? '', /again/)
    assert.deepEqual(await readTraffic(other.person), { projects: [], covered: 0 })
    assert.equal((await readAnalytics(mine)).state, 'ok', 'another organization is still served')
  })
})
