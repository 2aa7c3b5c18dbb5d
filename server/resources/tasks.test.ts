import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { addWorkerVersion } from '../cloudflare/products/workers.ts'
import { type Client, eventsOf } from '../testing/app.ts'
import { FaultProxy } from '../testing/providers/fault-proxy.ts'
import type { Removal } from './remove.ts'
import {
  ACCOUNT_FAILURES,
  appSaying,
  type CloudApp,
  type DeployState,
  openCloudApp,
  until,
  wordAt,
} from '../releases/testing.ts'
import { leaves } from '../testing/effects.ts'
import {
  manualUpload,
  deleteBehind,
  deploymentsOf,
  namesOf,
  provisionOf,
  reconcile,
  rollBack,
  shipWord,
  switchOn,
  workerOf,
} from './testing.ts'

const proxy = new FaultProxy()
let cloud: CloudApp

describe('tasks on resources', () => {
  before(async () => {
    cloud = await openCloudApp((api) => proxy.listen(api))
  })
  after(async () => {
    await cloud.close()
    await proxy.close()
  })

  describe('rolling back', () => {
    test('rolling back serves the previous version without an upload, emits an event and adds a history entry', async () => {
      leaves({
        events: { 'project.deployed': 3, 'project.rolled_back': 2 },
        activity: {
          'assets.upload': 1,
          'project.deployed': 3,
          'project.rolled_back': 2,
          'worker.address': 3,
          'worker.deploy': 4,
          'worker.upload': 1,
          'worker.version': 2,
        },
        jobs: { deploy: 5 },
      })
      const made = await cloud.personWithProject()
      const one = await shipWord(cloud, made, 'one')
      const two = await shipWord(cloud, made, 'two')
      const worker = await workerOf(made, made.project.slug)
      const before = await deploymentsOf(made)
      assert.deepEqual(
        before.releases.map(({ sha, previous }) => [sha, previous]),
        [
          [two.sha, false],
          [one.sha, true],
        ],
      )
      const versions = await cloud.countCalls('POST', `/${made.project.slug}/versions`)
      const { status, data } = await rollBack(made, worker.id)
      assert.equal(status, 200)
      assert.deepEqual(data, {
        resourceId: worker.id,
        tier: 'production',
        url: two.url,
        from: { sha: two.sha, version: before.releases[0]?.version },
        to: { sha: one.sha, version: before.releases[1]?.version },
      })
      assert.equal(await wordAt(two.url), 'one')
      assert.equal(
        await cloud.countCalls('POST', `/${made.project.slug}/versions`),
        versions,
        'no new version',
      )
      const state = await made.person.call<DeployState>(`GET ${made.path}/deploy`)
      assert.deepEqual([state.data.state, state.data.sha, state.data.upToDate], ['live', one.sha, false])
      const after = await deploymentsOf(made)
      assert.deepEqual(
        after.releases.map(({ sha, current, previous }) => [sha, current, previous]),
        [
          [two.sha, false, false],
          [one.sha, true, false],
        ],
      )
      assert.equal((await workerOf(made, made.project.slug)).version, data.to.version)
      const { rows } = await cloud.app.platform.pool.query<{ body: JsonText<{ data: object }> }>(
        `select body from events where project_id = $1 and type = 'project.rolled_back'`,
        [made.project.id],
      )
      assert.deepEqual(
        rows.map(({ body }) => JSON.parse(body).data),
        [{ resourceId: worker.id, production: true }],
      )
      const history = await made.person.call<{ type: string; sha: string }[]>(`GET ${made.path}/history`)
      assert.partialDeepStrictEqual(history.data[0], { type: 'rolled_back', sha: one.sha })

      const nothing = await rollBack(made, worker.id)
      assert.deepEqual([nothing.status, nothing.error?.code], [409, 'conflict'])
      assert.equal((await shipWord(cloud, made, 'three')).url, two.url)
      assert.equal(await wordAt(two.url), 'three')
      assert.equal((await rollBack(made, worker.id)).data.to.sha, one.sha, 'what was taken off stays off')
    })

    test('rolling back the preview serves its previous version, and the event is not marked as a rollback of production', async () => {
      leaves({
        events: { 'project.rolled_back': 1 },
        activity: {
          'assets.upload': 1,
          'project.rolled_back': 1,
          'worker.address': 2,
          'worker.deploy': 2,
          'worker.upload': 1,
          'worker.version': 1,
        },
        jobs: { deploy: 3 },
      })
      const made = await cloud.personWithProject()
      for (const word of ['one', 'two']) {
        await cloud.build(made.project.id, appSaying(word))
        await made.person.call(`POST ${made.path}/deploy/retry`)
      }
      const worker = await workerOf(made, `${made.project.slug}-preview`)
      const { data } = await rollBack(made, worker.id)
      assert.equal(data.tier, 'preview')
      assert.equal(await wordAt(data.url), 'one')
      const { rows } = await cloud.app.platform.pool.query<{ body: JsonText<{ data: object }> }>(
        `select body from events where project_id = $1 and type = 'project.rolled_back'`,
        [made.project.id],
      )
      assert.deepEqual(
        rows.map(({ body }) => JSON.parse(body).data),
        [{ resourceId: worker.id }],
      )
    })

    test('rolling back to a version with other bindings, or after its Worker was deleted, uploads it as a new version', async () => {
      leaves({
        events: { 'project.deployed': 3, 'project.rolled_back': 2 },
        activity: {
          'assets.upload': 1,
          'project.deployed': 3,
          'project.rolled_back': 2,
          'worker.address': 'some',
          'worker.delete': 1,
          'worker.deploy': 'some',
          'worker.deploy failed': 'some',
          'worker.upload': 'some',
          'worker.version': 3,
          'worker.version failed': 1,
        },
        jobs: { deploy: 5, provision: 'some' },
      })
      const made = await cloud.personWithProject()
      const one = await shipWord(cloud, made, 'one')
      await switchOn(made)
      await shipWord(cloud, made, 'two')
      const worker = await workerOf(made, made.project.slug)
      const [, first] = (await deploymentsOf(made)).releases
      const wired = (await rollBack(made, worker.id)).data
      assert.equal(await wordAt(one.url), 'one')
      assert.notEqual(wired.to.version, first?.version, 'its version had no way to the objects')

      await shipWord(cloud, made, 'three')
      await deleteBehind(cloud, made, made.project.slug)
      const back = await rollBack(made, worker.id)
      assert.equal(back.data.to.sha, wired.to.sha)
      assert.notEqual(back.data.to.version, wired.to.version)
      assert.equal(await wordAt(one.url), 'one')
    })

    test('a rollback to a version that is no longer among the last ten at Cloudflare uploads it again, and the app serves it', async () => {
      leaves({
        events: { 'project.deployed': 2, 'project.rolled_back': 1 },
        activity: {
          'assets.upload': 1,
          'project.deployed': 2,
          'project.rolled_back': 1,
          'worker.address': 2,
          'worker.deploy': 2,
          'worker.deploy failed': 'some',
          'worker.upload': 1,
          'worker.version': 12,
        },
        jobs: { deploy: 3 },
      })
      const made = await cloud.personWithProject()
      const one = await shipWord(cloud, made, 'one')
      await shipWord(cloud, made, 'two')
      const account = await cloud.accountOf(made.person.organizationId)
      const { slug, id } = made.project
      for (let n = 0; n < 10; n++) await addWorkerVersion(account, slug, manualUpload(`hand-${n}`, [id]))
      const { status, data } = await rollBack(made, (await workerOf(made, slug)).id)
      assert.equal(status, 200)
      assert.equal(data.to.sha, one.sha)
      assert.equal(await wordAt(one.url), 'one')
    })

    test('when Cloudflare refuses to switch to the earlier version, the current version keeps serving and nothing changes', async () => {
      leaves({
        events: { 'project.deployed': 2, 'project.rolled_back': 1 },
        activity: {
          'assets.upload': 1,
          'project.deployed': 2,
          'project.rolled_back': 1,
          'worker.address': 2,
          'worker.deploy': 2,
          'worker.deploy failed': 'some',
          'worker.upload': 1,
          'worker.version': 1,
        },
        jobs: { deploy: 4 },
      })
      const made = await cloud.personWithProject()
      await shipWord(cloud, made, 'one')
      const two = await shipWord(cloud, made, 'two')
      const worker = await workerOf(made, made.project.slug)
      proxy.arm('POST', /\/deployments$/, 'answer 500', 100)
      const refused = await rollBack(made, worker.id)
      proxy.disarm()
      assert.deepEqual([refused.status, refused.error?.code], [502, 'upstream_error'])
      assert.equal(await wordAt(two.url), 'two')
      assert.equal((await made.person.call<DeployState>(`GET ${made.path}/deploy`)).data.sha, two.sha)
      assert.ok(!(await eventsOf(cloud.app, made.person)).includes('project.rolled_back'))
      assert.equal((await rollBack(made, worker.id)).status, 200)
    })

    async function colleagueOf({ person }: { person: Client }) {
      const colleague = await cloud.app.signUp()
      await cloud.app.platform.pool.query(
        `with moved as (update member set "organizationId" = $2, role = 'admin'
           where "userId" = (select id from "user" where email = $1) returning "userId")
         update session set "activeOrganizationId" = $2 from moved where session."userId" = moved."userId"`,
        [colleague.email, person.organizationId],
      )
      return colleague
    }

    for (const { name, joins } of [
      {
        name: 'a repeated rollback request returns the result that its caller did not get, even if a colleague got it, and the next one rolls back further',
        joins: 'a colleague',
      },
      {
        name: 'a rollback request rolls back further when the request before it waited for a running rollback and got its result',
        joins: 'the same person',
      },
    ])
      test(name, async (t) => {
        leaves({
          events: { 'project.deployed': 3, 'project.rolled_back': 2 },
          activity: {
            'assets.upload': 1,
            'project.deployed': 3,
            'project.rolled_back': 2,
            'worker.address': 3,
            'worker.deploy': 4,
            'worker.upload': 1,
            'worker.version': 2,
          },
          jobs: { deploy: 5 },
        })
        const made = await cloud.personWithProject()
        const [one, two] = [await shipWord(cloud, made, 'one'), await shipWord(cloud, made, 'two')]
        await shipWord(cloud, made, 'three')
        const worker = await workerOf(made, made.project.slug)
        const colleague = await colleagueOf(made)
        const { pool, listener } = cloud.app.platform
        // The end of the rollback waits for this transaction.
        const blocker = await pool.connect()
        t.after(() => blocker.release(true))
        await blocker.query('begin')
        await blocker.query('select from deployments where project_id = $1 for update', [made.project.id])
        const waits = t.mock.method(listener, 'on')
        const client = new AbortController()
        const route = `POST ${made.path}/resources/${worker.id}/rollback`
        const unread = made.person.raw(route, { signal: client.signal })
        await until(async () => waits.mock.callCount() === 1)
        client.abort()
        assert.equal((await unread).status, 503)
        const joined = rollBack(joins === 'a colleague' ? { ...made, person: colleague } : made, worker.id)
        await until(async () => waits.mock.callCount() === 2)
        await blocker.query('commit')
        assert.equal((await joined).data.to.sha, two.sha)
        if (joins === 'a colleague') assert.equal((await rollBack(made, worker.id)).data.to.sha, two.sha)
        assert.equal(await wordAt(two.url), 'two')
        assert.equal((await rollBack(made, worker.id)).data.to.sha, one.sha)
      })

    test('two simultaneous rollbacks roll back once, and a rollback without versions or by another organization is refused', async () => {
      leaves({
        events: { 'project.deployed': 3, 'project.rolled_back': 1 },
        activity: {
          'assets.upload': 1,
          'project.deployed': 3,
          'project.rolled_back': 1,
          'worker.address': 'some',
          'worker.deploy': 'some',
          'worker.upload': 'some',
          'worker.version': 2,
        },
        jobs: { deploy: 4, provision: 'some' },
      })
      const made = await cloud.personWithProject()
      for (const word of ['one', 'two', 'three']) await shipWord(cloud, made, word)
      const worker = await workerOf(made, made.project.slug)
      const [a, b] = await Promise.all([rollBack(made, worker.id), rollBack(made, worker.id)])
      assert.deepEqual([a.status, b.status], [200, 200])
      assert.deepEqual(a.data, b.data)
      await switchOn(made)
      const live = await workerOf(made, `${made.project.slug}-live`)
      assert.equal((await rollBack(made, live.id)).status, 409)
      const stranger = await cloud.personWithProject()
      const foreign = await rollBack(stranger, worker.id)
      const unknown = await rollBack(stranger, 'res_00000000000000000000000000')
      assert.deepEqual([foreign.status, foreign.error], [404, unknown.error])
    })
  })

  for (const { name, failure, outcome } of ACCOUNT_FAILURES)
    test(`while the cloud account ${name}, rolling back, destroying and reconciling return ${outcome[1]} and change nothing`, async () => {
      leaves({
        events: { 'project.deployed': 2 },
        activity: {
          'assets.upload': 1,
          'project.deployed': 2,
          'worker.address': 'some',
          'worker.delete failed': 1,
          'worker.deploy': 'some',
          'worker.upload': 'some',
          'worker.version': 'some',
        },
        jobs: { deploy: 'some' },
      })
      const made = await cloud.personWithProject()
      await shipWord(cloud, made, 'one')
      const two = await shipWord(cloud, made, 'two')
      const worker = await workerOf(made, made.project.slug)
      const { accountId } = await cloud.accountOf(made.person.organizationId)
      const restore = await cloud.failCalls(accountId, failure)
      for (const route of [
        `POST ${made.path}/resources/${worker.id}/rollback`,
        `DELETE ${made.path}/resources/${worker.id}`,
        `POST ${made.path}/reconcile`,
      ]) {
        const failed = await made.person.call(route)
        assert.deepEqual([failed.status, failed.error?.code], outcome, route)
      }
      await restore()
      assert.equal(await wordAt(two.url), 'two')
      const state = await made.person.call<DeployState>(`GET ${made.path}/deploy`)
      assert.deepEqual([state.data.state, state.data.sha], ['live', two.sha])
    })

  describe('destroying one resource', () => {
    test('destroying the production Worker takes the project offline, and deploying it again restores it', async () => {
      leaves({
        events: { 'project.deployed': 2, 'project.rolled_back': 1 },
        activity: {
          'assets.upload': 1,
          'project.deployed': 2,
          'project.reconciled': 1,
          'resource.removed': 1,
          'worker.address': 3,
          'worker.delete': 1,
          'worker.upload': 2,
        },
        jobs: { deploy: 4 },
      })
      const made = await cloud.personWithProject()
      const { url } = await shipWord(cloud, made, 'one')
      const worker = await workerOf(made, made.project.slug)
      const { data } = await made.person.call<Removal>(`DELETE ${made.path}/resources/${worker.id}`)
      assert.deepEqual(data, {
        removed: [{ id: worker.id, kind: 'worker', name: made.project.slug }],
        data: null,
        remaining: 0,
      })
      assert.equal((await cloudFetch(url)).status, 404)
      const project = await made.person.call<{ lifecycle: string; url: string | null }>(`GET ${made.path}`)
      assert.deepEqual([project.data.lifecycle, project.data.url], ['offline', null])
      assert.deepEqual((await deploymentsOf(made)).managed, [])
      const sent = await cloud.app.platform.db
        .selectFrom('events')
        .select('body')
        .where('project_id', '=', made.project.id)
        .where('type', '=', 'project.rolled_back')
        .execute()
      assert.deepEqual(
        sent.map(({ body }) => (JSON.parse(body) as { data: object }).data),
        [{ resourceId: worker.id, production: true }],
      )
      assert.deepEqual((await reconcile(made)).repaired, [], 'nothing is to be served')
      const again = await made.person.call<DeployState>(`POST ${made.path}/deploy`)
      assert.equal(again.data.state, 'live')
      assert.equal(await wordAt(url), 'one')
    })

    test('destroying a Durable Object namespace returns the number of its objects, and the capability fails until reconciliation', async () => {
      leaves({
        events: { 'project.deployed': 1 },
        activity: {
          'assets.upload': 1,
          'project.deployed': 1,
          'project.reconciled': 1,
          'resource.recreated': 1,
          'resource.removed': 1,
          'worker.address': 'some',
          'worker.delete': 1,
          'worker.upload': 'some',
        },
        jobs: { deploy: 3, provision: 'some' },
      })
      const made = await cloud.personWithProject()
      await switchOn(made)
      const { url } = await shipWord(cloud, made, 'one')
      const namespace = (await deploymentsOf(made)).managed.find(({ kind }) => kind === 'object_namespace')
      const { data } = await made.person.call<Removal>(`DELETE ${made.path}/resources/${namespace?.id}`)
      assert.deepEqual(data.removed.map(({ kind, name }) => `${kind} ${name}`).sort(), [
        `object_namespace ${made.project.slug}-live`,
        `worker ${made.project.slug}-live`,
      ])
      assert.match(data.data ?? '', /^\d+ objects?$/)
      const lost = await provisionOf(made)
      assert.deepEqual([lost.state, lost.error?.code], ['error', 'resource_missing'])
      const { repaired, failed } = await reconcile(made)
      assert.deepEqual(failed, [])
      assert.deepEqual(namesOf(repaired), [
        `object_namespace ${made.project.slug}-live: made empty`,
        `worker ${made.project.slug}-live: made`,
      ])
      assert.deepEqual(await provisionOf(made), { state: 'idle', error: null })
      assert.equal(await wordAt(url), 'one')
    })

    test('no resource can be destroyed by another organization or with an API key that lacks the scope', async () => {
      leaves({
        events: { 'project.deployed': 1 },
        activity: {
          'assets.upload': 1,
          'project.deployed': 1,
          'worker.address': 1,
          'worker.upload': 1,
        },
        jobs: { deploy: 1 },
      })
      const made = await cloud.personWithProject()
      await shipWord(cloud, made, 'one')
      const worker = await workerOf(made, made.project.slug)
      const stranger = await cloud.personWithProject()
      const foreign = await stranger.person.call(`DELETE ${stranger.path}/resources/${worker.id}`)
      assert.equal(foreign.status, 404)
      const key = await cloud.app.keyFor(made.person, ['projects:write'])
      const scopeless = await key.call(`DELETE ${made.path}/resources/${worker.id}`)
      assert.equal(scopeless.error?.code, 'forbidden_scope')
    })
  })
})
