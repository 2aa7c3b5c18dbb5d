import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { completeTree } from '../agent/source/tree.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { transact } from '../db/database.ts'
import { claimPreview, latestDeployment, readDeployment } from '../deployments/store.ts'
import { writeTree } from '../git/store.ts'
import { advanceMain } from '../projects/advance-main.ts'
import { deployJob } from '../releases/deploy-job.ts'
import { previewJob } from '../releases/preview-job.ts'
import {
  appSaying,
  type CloudApp,
  type DeployState,
  openCloudApp,
  until,
  wordAt,
} from '../releases/testing.ts'
import { type Client, eventsOf } from '../testing/app.ts'
import { leaves } from '../testing/effects.ts'

interface Shown {
  lifecycle: string
  url: string | null
  archivedAt: string | null
  deployedAt: string | null
}

describe('archiving a project', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
  })
  after(() => cloud.close())

  async function liveProject() {
    const made = await cloud.personWithProject()
    await cloud.build(made.project.id, appSaying('one'))
    const shipped = await made.person.call<DeployState>(`POST ${made.path}/deploy`)
    assert.equal(shipped.status, 200, String(shipped.error?.message))
    return { ...made, url: shipped.data.url ?? '' }
  }
  const statusAt = async (url: string) => (await cloudFetch(`${url}/api/word`)).status
  const setPlan = (person: Client, plan: 'free' | 'enterprise') =>
    cloud.app.platform.db
      .updateTable('organization_settings')
      .set({ plan })
      .where('org_id', '=', person.organizationId)
      .execute()

  test('a live app is offline when the archive request returns, and online again once it is unarchived and deployed', async () => {
    leaves({
      events: { 'project.archived': 1, 'project.deployed': 2 },
      activity: {
        'assets.upload': 1,
        'project.archived': 1,
        'project.deployed': 2,
        'project.unarchived': 1,
        'worker.address': 2,
        'worker.deploy': 1,
        'worker.offline': 1,
        'worker.upload': 1,
        'worker.version': 1,
      },
      jobs: { deploy: 3 },
    })
    const { person, path, url } = await liveProject()
    const archived = await person.call<Shown>(`POST ${path}/archive`)
    assert.equal(archived.status, 200, String(archived.error?.message))
    assert.deepEqual(
      [archived.data.lifecycle, archived.data.url, archived.data.archivedAt],
      ['archived', null, cloud.app.clock.now().toISOString()],
    )
    assert.ok(archived.data.deployedAt)
    assert.equal(await statusAt(url), 404)
    const state = await person.call<DeployState>(`GET ${path}/deploy`)
    assert.deepEqual([state.data.state, state.data.url], ['archived', null])

    const back = await person.call<Shown>(`POST ${path}/unarchive`)
    assert.deepEqual([back.data.lifecycle, back.data.archivedAt], ['offline', null])
    assert.equal(await statusAt(url), 404, 'it serves once it is shipped, not before')
    const shipped = await person.call<DeployState>(`POST ${path}/deploy`)
    assert.deepEqual([shipped.data.state, shipped.data.url], ['live', url])
    assert.equal(await wordAt(url), 'one')
    assert.deepEqual(await eventsOf(cloud.app, person), [
      'project.created',
      'project.deployed',
      'project.archived',
      'project.deployed',
    ])
  })

  test('archiving a project also takes its preview offline, and publishing a preview again brings the preview back online', async () => {
    leaves({
      events: { 'project.archived': 1, 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.archived': 1,
        'project.deployed': 1,
        'project.unarchived': 1,
        'worker.address': 3,
        'worker.deploy': 1,
        'worker.offline': 2,
        'worker.upload': 2,
        'worker.version': 1,
      },
      jobs: { deploy: 5 },
    })
    const { person, path } = await liveProject()
    const preview = await person.call<{ previewUrl: string }>(`POST ${path}/preview`, {})
    const { previewUrl } = preview.data
    assert.equal(await statusAt(previewUrl), 200, String(preview.error?.message))
    const archived = await person.call<{ previewUrl: string | null }>(`POST ${path}/archive`)
    assert.equal(archived.data.previewUrl, null)
    assert.equal(await statusAt(previewUrl), 404)
    await person.call(`POST ${path}/unarchive`)
    const again = await person.call<{ previewUrl: string }>(`POST ${path}/preview`, {})
    assert.equal(again.data.previewUrl, previewUrl, String(again.error?.message))
    assert.equal(await statusAt(previewUrl), 200)
    const unknown = await person.call(`POST ${path}/preview`, { ticketId: 'tkt_none' })
    assert.equal(unknown.status, 404)
  })

  test('when the preview of an archived project is requested twice, the second deployment job leaves the preview online', async () => {
    leaves({
      events: { 'project.archived': 1 },
      activity: {
        'assets.upload': 1,
        'project.archived': 1,
        'worker.address': 1,
        'worker.upload': 1,
      },
      jobs: { deploy: 1 },
    })
    const { person, project, path } = await cloud.personWithProject()
    await cloud.build(project.id, appSaying('one'))
    await person.call(`POST ${path}/archive`)
    const { data, error } = await person.call<{ previewUrl: string }>(`POST ${path}/preview`, {})
    const { platform } = cloud.app
    const place = { id: project.id, org_id: person.organizationId }
    const live = await latestDeployment(platform.db, place, 'preview', ['live'])
    assert.ok(live, String(error?.message))
    // The second request found the deployment running and sent another job for it, which runs after the first job.
    const job = { orgId: person.organizationId, projectId: project.id, deploymentId: live.id }
    await deployJob.run(platform, { data: job, attempt: 1, signal: new AbortController().signal })
    assert.equal(await statusAt(data.previewUrl), 200)
    await deployJob.abandon?.(platform, job)
    assert.equal((await readDeployment(platform.db, job.orgId, live.id))?.error, null)
  })

  test('a project cannot be archived while its preview is being published, and a preview requested before archiving is not published afterwards', async () => {
    leaves({
      events: { 'project.archived': 1 },
      activity: {
        'assets.upload': 1,
        'project.archived': 1,
        'worker.address': 1,
        'worker.offline': 1,
        'worker.upload': 1,
      },
      jobs: { deploy: 2 },
    })
    const { person, project, path } = await cloud.personWithProject()
    const { platform } = cloud.app
    const key = { orgId: person.organizationId, projectId: project.id }
    const place = { id: project.id, org_id: person.organizationId }
    const at = platform.clock.now()
    const sha = await transact(platform.db, async (trx) =>
      advanceMain(trx, {
        ...key,
        head: null,
        tree: await writeTree(trx, project.id, completeTree(appSaying('one'), new Set()), at),
        files: 1,
        author: 'Slipway',
        message: 'one',
        runId: null,
        ticketId: null,
        generatedBy: null,
        at,
      }),
    )
    await transact(platform.db, (trx) => claimPreview(trx, place, { sha, actor: 'test', at }))
    const refused = await person.call(`POST ${path}/archive`)
    assert.deepEqual([refused.status, refused.error?.code], [409, 'conflict'])
    assert.match(refused.error?.message ?? '', /preview is being published/)
    assert.equal((await person.call(`POST ${path}/preview`, {})).status, 200)
    const archived = await person.call(`POST ${path}/archive`)
    assert.equal(archived.status, 200, String(archived.error?.message))
    await previewJob.run(platform, { data: key, attempt: 1, signal: new AbortController().signal })
    assert.equal(await latestDeployment(platform.db, place, 'preview', ['deploying', 'live']), null)
  })

  test('an app that was archived and deployed again is rolled back to the version before, not to the same version', async () => {
    leaves({
      events: { 'project.archived': 1, 'project.deployed': 3, 'project.rolled_back': 1 },
      activity: {
        'assets.upload': 1,
        'project.archived': 1,
        'project.deployed': 3,
        'project.rolled_back': 1,
        'project.unarchived': 1,
        'worker.address': 3,
        'worker.deploy': 3,
        'worker.offline': 1,
        'worker.upload': 1,
        'worker.version': 2,
      },
      jobs: { deploy: 5 },
    })
    const { person, project, path, url } = await liveProject()
    await cloud.build(project.id, appSaying('two'))
    for (const step of ['deploy', 'archive', 'unarchive', 'deploy'])
      assert.equal((await person.call(`POST ${path}/${step}`)).status, 200, step)
    assert.equal(await wordAt(url), 'two')
    const { data } = await person.call<{ managed: { id: string; name: string }[] }>(`GET ${path}/deployments`)
    const worker = data.managed.find(({ name }) => name === project.slug)
    const rolledBack = await person.call(`POST ${path}/resources/${worker?.id}/rollback`)
    assert.equal(rolledBack.status, 200, String(rolledBack.error?.message))
    assert.equal(await wordAt(url), 'one')
  })

  test('a build that ends after its project was archived does not bring the preview back online', async () => {
    leaves({
      events: {
        'project.archived': 1,
        'ticket.created': 1,
        'ticket.updated': 2,
        'ticket.build.succeeded': 1,
      },
      // The build also enables the capability `data`.
      activity: { 'project.archived': 1, 'worker.address': 1, 'worker.upload': 2 },
      jobs: { build: 1, provision: 1 },
    })
    const { person, project, path } = await cloud.personWithProject()
    const ticket = await person.call<{ id: string }>(`POST ${path}/tickets`, { title: 'Track plants' })
    const building = person.call<{ status: string; previewUrl: string | null }>(
      `POST ${path}/tickets/${ticket.data.id}/build`,
      {},
    )
    await until(async () => {
      const { data } = await person.call<{ items: { status: string }[] }>(`GET ${path}/runs`)
      return data.items[0]?.status === 'running'
    })
    const archived = await person.call(`POST ${path}/archive`)
    assert.equal(archived.status, 200, String(archived.error?.message))
    const built = await building
    assert.deepEqual(
      [built.data.status, built.data.previewUrl],
      ['built', null],
      String(built.error?.message),
    )
    const shown = await person.call<Shown & { previewUrl: string | null }>(`GET ${path}`)
    assert.deepEqual([shown.data.lifecycle, shown.data.previewUrl], ['archived', null])
    const place = { id: project.id, org_id: person.organizationId }
    assert.equal(await latestDeployment(cloud.app.platform.db, place, 'preview', ['deploying', 'live']), null)
  })

  test('archiving a project twice emits one event, and unarchiving a project that is not archived changes nothing', async () => {
    leaves({ events: { 'project.archived': 1 }, activity: { 'project.archived': 1 } })
    const { person, path } = await cloud.personWithProject()
    const before = await person.call<Shown>(`POST ${path}/unarchive`)
    assert.equal(before.data.lifecycle, 'offline')
    const first = await person.call<Shown>(`POST ${path}/archive`)
    cloud.app.clock.advance(1_000)
    const second = await person.call<Shown>(`POST ${path}/archive`)
    assert.deepEqual(second.data, first.data)
    assert.deepEqual(await eventsOf(cloud.app, person), ['project.created', 'project.archived'])
    const log = await cloud.app.platform.db
      .selectFrom('activity')
      .select(['action', 'actor'])
      .where('org_id', '=', person.organizationId)
      .where('action', 'like', 'project.%')
      .execute()
    assert.deepEqual(log, [{ action: 'project.archived', actor: person.email }])
  })

  test('an archived project can be read, but neither built nor deployed', async () => {
    leaves({
      events: { 'project.archived': 1, 'project.deployed': 1, 'ticket.created': 1 },
      activity: {
        'assets.upload': 1,
        'project.archived': 1,
        'project.deployed': 1,
        'worker.address': 1,
        'worker.offline': 1,
        'worker.upload': 1,
      },
      jobs: { deploy: 2 },
    })
    const { person, path } = await liveProject()
    const ticket = await person.call<{ id: string }>(`POST ${path}/tickets`, { title: 'One' })
    await person.call(`POST ${path}/archive`)
    for (const route of [
      `POST ${path}/deploy`,
      `POST ${path}/deploy/retry`,
      `POST ${path}/tickets/${ticket.data.id}/build`,
    ]) {
      const answer = await person.call(route, {})
      assert.deepEqual([answer.status, answer.error?.code], [409, 'conflict'], route)
      assert.match(answer.error?.message ?? '', /archived/)
    }
    for (const part of ['', '/tickets', '/source', '/versions', '/deployments', '/deploy'])
      assert.equal((await person.call(`GET ${path}${part}`)).status, 200, part)
  })

  test("archiving a live project frees its slot in the plan's limit of live projects", async () => {
    leaves({
      events: { 'project.archived': 1, 'project.created': 1, 'project.deployed': 2 },
      activity: {
        'assets.upload': 1,
        'project.archived': 1,
        'project.deployed': 2,
        'worker.address': 2,
        'worker.offline': 1,
        'worker.upload': 2,
      },
      jobs: { deploy: 3 },
    })
    const { person, path } = await liveProject()
    await setPlan(person, 'free')
    const second = await person.call<{ id: string }>('POST /projects', { name: 'Second' })
    await cloud.build(second.data.id, appSaying('two'))
    const shipSecond = () => person.call(`POST /projects/${second.data.id}/deploy`)
    assert.equal((await shipSecond()).status, 402)
    await person.call(`POST ${path}/archive`)
    const shipped = await shipSecond()
    assert.equal(shipped.status, 200, String(shipped.error?.message))
  })

  test('a project cannot be archived while it is being deployed to production', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 2,
        'worker.address': 1,
        'worker.deploy': 1,
        'worker.upload': 1,
        'worker.version': 1,
      },
      jobs: { deploy: 2 },
    })
    const { person, project, path } = await liveProject()
    await cloud.build(project.id, appSaying('two'))
    const shipping = person.call<DeployState>(`POST ${path}/deploy`)
    for (;;) {
      const { data } = await person.call<DeployState>(`GET ${path}/deploy`)
      if (data.state === 'deploying') break
    }
    const refused = await person.call(`POST ${path}/archive`)
    assert.deepEqual([refused.status, refused.error?.code], [409, 'conflict'])
    assert.equal((await shipping).data.state, 'live')
    assert.equal((await person.call<Shown>(`GET ${path}`)).data.lifecycle, 'live')
  })

  test('a project that is being deleted can be neither archived nor unarchived', async () => {
    const { person, project, path } = await cloud.personWithProject()
    await cloud.app.platform.db
      .updateTable('projects')
      .set({ deleting_at: cloud.app.clock.now() })
      .where('id', '=', project.id)
      .execute()
    for (const route of [`POST ${path}/archive`, `POST ${path}/unarchive`]) {
      const refused = await person.call(route)
      assert.deepEqual([refused.status, refused.error?.code], [409, 'conflict'], route)
      assert.match(refused.error?.message ?? '', /is being deleted/)
    }
  })

  test("archiving needs the scope deploy:write, and archiving another organization's project gets a 404", async () => {
    const { person, path } = await cloud.personWithProject()
    const stranger = await cloud.app.signUp()
    const key = await cloud.app.keyFor(person)
    for (const route of [`POST ${path}/archive`, `POST ${path}/unarchive`, `DELETE ${path}`]) {
      assert.equal((await key.call(route)).error?.code, 'forbidden_scope')
      assert.equal((await stranger.call(route)).status, 404)
    }
    assert.equal((await person.call<Shown>(`GET ${path}`)).data.lifecycle, 'offline')
  })
})
