import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { transact } from '../db/database.ts'
import { FaultProxy } from '../testing/providers/fault-proxy.ts'
import { deployJob } from './deploy-job.ts'
import { claimPreview, latestDeployment, readDeployment } from '../deployments/store.ts'
import { findProject } from '../projects/store.ts'
import {
  appSaying,
  type CloudApp,
  type DeployState,
  beginShip,
  openCloudApp,
  until,
  watchApp,
  wordAt,
} from './testing.ts'

const STAGES = [
  { name: 'asset session', method: 'POST', path: /assets-upload-session$/ },
  { name: 'asset upload', method: 'POST', path: /workers\/assets\/upload$/ },
  { name: 'version', method: 'POST', path: /\/versions$/ },
  { name: 'switch', method: 'POST', path: /\/deployments$/ },
] as const

const proxy = new FaultProxy()
let cloud: CloudApp
/** An app whose routes and public file contain `word`. So each version has a new file that must be uploaded to the account. */
const appWithPage = (word: string) =>
  new Map([...appSaying(word), ['public/word.txt', `${word} ${'.'.repeat(20)}`]])

async function shippedApp() {
  const made = await cloud.personWithProject()
  await cloud.build(made.project.id, appWithPage('v0'))
  const { data } = await made.person.call<DeployState>(`POST ${made.path}/deploy`)
  return { ...made, url: data.url ?? '' }
}

/** Returns how many version uploads the account has received for the worker at `url`. */
async function countVersions(url: string): Promise<number> {
  return await cloud.countCalls('POST', `/${new URL(url).hostname.split('.')[0]}/versions`)
}

/**
 * Runs the job of a deployment. Aborts the job after the account has carried out the stage and before the response is read,
 * as when the process dies.
 */
async function dieAfter(
  stage: (typeof STAGES)[number],
  data: { orgId: string; projectId: string; deploymentId: string },
): Promise<void> {
  const dying = new AbortController()
  const over = new AbortController()
  proxy.arm(stage.method, stage.path, 'lose the answer')
  const died = deployJob.run(cloud.app.platform, { data, attempt: 1, signal: dying.signal })
  const isHit = async () => {
    while (proxy.happened === 0) await sleep(2, undefined, { signal: over.signal })
    dying.abort()
  }
  await Promise.all([assert.rejects(died).finally(() => over.abort()), isHit()])
}

describe('deploying while calls to the cloud account fail', () => {
  before(async () => {
    cloud = await openCloudApp((api) => proxy.listen(api))
  })
  after(async () => {
    await cloud.close()
    await proxy.close()
  })

  test('a deployment that loses a request to the cloud account, or the response, still goes live with one new version', async () => {
    const { person, project, path, url } = await shippedApp()
    const [, , version] = STAGES
    const cases = [
      ...STAGES.map((stage) => ({ stage, fault: 'lose the answer' as const })),
      { stage: version, fault: 'lose the request' as const },
    ]
    for (const [n, { stage, fault }] of cases.entries()) {
      await cloud.build(project.id, appWithPage(`v${n + 1}`))
      const versions = await countVersions(url)
      proxy.arm(stage.method, stage.path, fault)
      const shipped = await person.call<DeployState>(`POST ${path}/deploy`)
      assert.equal(proxy.happened, 1, `${stage.name}: the fault happened`)
      assert.equal(shipped.data?.state, 'live', `${stage.name}, ${fault}: ${shipped.error?.message}`)
      assert.equal(await wordAt(url), `v${n + 1}`)
      assert.equal(await countVersions(url), versions + 1, `${stage.name}, ${fault}: one version`)
    }
  })

  test('a deployment with a stage that always fails ends with a reason, and the old version never stops serving', async () => {
    const { person, project, path, url } = await shippedApp()
    for (const stage of STAGES) {
      await cloud.build(project.id, appWithPage(`broken ${stage.name}`))
      proxy.arm(stage.method, stage.path, 'answer 500', 100)
      const watch = watchApp(url)
      const shipped = await person.call(`POST ${path}/deploy`)
      const seen = await watch.stop()
      proxy.disarm()
      assert.deepEqual([shipped.status, shipped.error?.code], [502, 'upstream_error'], stage.name)
      assert.deepEqual(seen, ['v0'], stage.name)
      const state = await person.call<DeployState>(`GET ${path}/deploy`)
      assert.deepEqual([state.data.state, state.data.url], ['error', url])
    }
    const again = await person.call<DeployState>(`POST ${path}/deploy`)
    assert.equal(again.data.state, 'live')
    assert.equal(await wordAt(url), 'broken switch')
  })

  test('publishing a preview that the account refuses returns upstream_error, and the previous preview is still served', async () => {
    const { person, project, path } = await shippedApp()
    const { data } = await person.call<{ previewUrl: string }>(`POST ${path}/preview`, {})
    await cloud.build(project.id, appWithPage('v1'))
    const { accountId } = await cloud.accountOf(person.organizationId)
    const restore = await cloud.failCalls(accountId, { status: 400 })
    for (const route of [`POST ${path}/preview`, `POST ${path}/deploy/retry`]) {
      const failed = await person.call(route, {})
      assert.deepEqual([failed.status, failed.error?.code], [502, 'upstream_error'], route)
    }
    await restore()
    assert.equal(await wordAt(data.previewUrl), 'v0')
    assert.equal((await person.call(`POST ${path}/preview`, {})).status, 200)
    assert.equal(await wordAt(data.previewUrl), 'v1')
  })

  test('of two simultaneous previews the newer one is served, even if the older deployment runs again after a crash', async () => {
    const { person, project, path } = await shippedApp()
    const first = await person.call<{ previewUrl: string }>(`POST ${path}/preview`, {})
    const url = first.data.previewUrl
    const versions = await countVersions(url)
    await cloud.build(project.id, appWithPage('v1'))
    proxy.arm('POST', /-preview\/deployments$/, 'be slow')
    const older = person.call(`POST ${path}/preview`, {})
    await until(async () => (await countVersions(url)) > versions)
    const { platform } = cloud.app
    const key = { orgId: person.organizationId, projectId: project.id }
    const place = { id: project.id, org_id: person.organizationId }
    const replaced = await latestDeployment(platform.db, place, 'preview', ['deploying'])
    assert.ok(replaced)
    const sha = await cloud.build(project.id, appWithPage('v2'))
    const newer = await person.call(`POST ${path}/preview`, {})
    assert.deepEqual([newer.status, (await older).status], [200, 200])
    assert.equal(await readDeployment(platform.db, key.orgId, replaced.id), null)
    // The process of the older deployment died after its last call to the account, so its job runs again.
    const { signal } = new AbortController()
    await deployJob.run(platform, { data: { ...key, deploymentId: replaced.id }, attempt: 2, signal })
    assert.equal(await wordAt(url), 'v2')
    const stored = await findProject(platform.db, key)
    assert.deepEqual([stored?.preview_sha, stored?.preview_url], [sha, url])
  })

  test('after an interrupted preview deployment, publishing the previous content again replaces the interrupted version', async () => {
    const { person, project, path } = await shippedApp()
    const { data: live } = await person.call<{ previewUrl: string }>(`POST ${path}/preview`, {})
    const { platform } = cloud.app
    const key = { orgId: person.organizationId, projectId: project.id }
    for (const end of ['replaced', 'given up']) {
      const sha = await cloud.build(project.id, appWithPage(end))
      const begun = { sha, actor: 'test', at: platform.clock.now() }
      const place = { id: project.id, org_id: person.organizationId }
      const deploymentId = await transact(platform.db, (trx) => claimPreview(trx, place, begun))
      await dieAfter(STAGES[3], { ...key, deploymentId })
      assert.equal(await wordAt(live.previewUrl), end)
      if (end === 'given up') await deployJob.abandon?.(platform, { ...key, deploymentId })
      await cloud.build(project.id, appWithPage('v0'))
      assert.equal((await person.call(`POST ${path}/preview`, {})).status, 200)
      assert.equal(await wordAt(live.previewUrl), 'v0', end)
    }
  })

  test('the next process continues a deployment whose process died, without uploading the version again', async () => {
    const { person, project, path, url } = await shippedApp()
    const { platform } = cloud.app
    const orgId = person.organizationId
    for (const stage of STAGES) {
      const sha = await cloud.build(project.id, appWithPage(stage.name))
      const { id } = await beginShip(platform, { orgId, projectId: project.id, sha })
      const data = { orgId, projectId: project.id, deploymentId: id }
      const before = await countVersions(url)
      await dieAfter(stage, data)
      assert.equal((await readDeployment(platform.db, orgId, id))?.status, 'deploying')
      await deployJob.run(platform, { data, attempt: 2, signal: new AbortController().signal })
      assert.equal((await readDeployment(platform.db, orgId, id))?.status, 'live', stage.name)
      assert.equal(await countVersions(url), before + 1, `${stage.name}: one version`)
      assert.equal(await wordAt(url), stage.name)
      const state = await person.call<DeployState>(`GET ${path}/deploy`)
      assert.deepEqual([state.data.state, state.data.sha], ['live', sha])
    }
  })
})
