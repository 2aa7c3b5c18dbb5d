import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AppTree, starterTree } from '../agent/source/tree.ts'
import { deleteWorker, putWorker } from '../cloudflare/products/workers.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { type Client, eventsOf } from '../testing/app.ts'
import { appSaying, type CloudApp, type DeployState, openCloudApp, until, wordAt } from './testing.ts'
import { leaves } from '../testing/effects.ts'

interface Managed {
  id: string
  kind: string
  name: string
  status: string
  version: string | null
  url: string | null
  capability: string | null
  capabilities: string[]
}

let cloud: CloudApp
function notesApp(version: string): AppTree {
  const manifest = {
    slipway: 1,
    name: 'Notes',
    uses: ['data'],
    pages: [{ path: '/', file: 'Home.tsx', title: 'Notes', access: 'public' }],
    collections: {
      notes: {
        partition: 'app',
        read: 'public',
        write: 'public',
        fields: { text: { type: 'text', required: true } },
      },
    },
  }
  const routes = `import { Hono } from 'hono'
import { data } from '@slipway/app/server'

export const routes = new Hono()
routes.get('/version', (c) => c.text('${version}'))
routes.get('/notes', async (c) => c.json((await data.system.list('notes')).items.map((note) => note.text)))
routes.post('/notes', async (c) => c.json(await data.system.create('notes', await c.req.json())))
`
  const files = new Map(starterTree('Notes'))
  files.set('app.json', JSON.stringify(manifest))
  files.set('web/pages/Home.tsx', 'export default function Home() {\n  return <p>Notes</p>\n}\n')
  return files.set('server/routes.ts', routes)
}

const notesAt = async (url: string) => {
  const answer = await cloudFetch(`${url}/api/notes`)
  assert.equal(answer.status, 200, 'the list of notes')
  return await answer.json()
}
const addNote = async (url: string, text: string) => {
  const headers = { 'content-type': 'application/json', origin: url }
  return (await cloudFetch(`${url}/api/notes`, { method: 'POST', headers, body: JSON.stringify({ text }) }))
    .status
}

async function switchOn(person: Client, path: string): Promise<void> {
  await person.call(`PUT ${path}/capabilities/data`, { enabled: true })
  await until(async () => {
    const { data } = await person.call<{ provision: { state: string } }>(`GET ${path}/capabilities/data`)
    return data.provision.state !== 'creating'
  })
}

const settings = (person: Client, change: { plan?: 'free' | 'enterprise'; suspended_at?: Date | null }) =>
  cloud.app.platform.db
    .updateTable('organization_settings')
    .set(change)
    .where('org_id', '=', person.organizationId)
    .execute()

const UPLOADED = { 'assets.upload': 1, 'worker.address': 1, 'worker.upload': 1 }
/** For an app with `data`. The numbers vary, because the app's workers are uploaded again when their bindings change meanwhile. */
const UPLOADED_WITH_DATA = { ...UPLOADED, 'worker.address': 'some', 'worker.upload': 'some' } as const

describe('shipping an app', () => {
  before(async () => {
    cloud = await openCloudApp()
  })
  after(() => cloud.close())

  test('a project without a build can be neither deployed nor previewed, and no deployment can be retried', async () => {
    const { person, path } = await cloud.personWithProject()
    for (const route of [`POST ${path}/deploy`, `POST ${path}/deploy/retry`, `POST ${path}/preview`]) {
      const answer = await person.call(route, {})
      assert.deepEqual([answer.status, answer.error?.code], [400, 'invalid_request'], route)
    }
    const state = await person.call<DeployState>(`GET ${path}/deploy`)
    assert.deepEqual([state.data.state, state.data.url, state.data.builtSha], ['none', null, null])
  })

  test('deploying serves the app at its URL, registers its Worker and emits an event; deploying again replaces the app', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: { ...UPLOADED, 'project.deployed': 2, 'worker.deploy': 1, 'worker.version': 1 },
      jobs: { deploy: 2 },
    })
    const { person, project, path } = await cloud.personWithProject()
    const first = await cloud.build(project.id, appSaying('one'))
    const shipped = await person.call<DeployState>(`POST ${path}/deploy`)
    assert.equal(shipped.status, 200, String(shipped.error?.message))
    assert.deepEqual([shipped.data.state, shipped.data.sha, shipped.data.upToDate], ['live', first, true])
    const url = shipped.data.url ?? ''
    assert.match(url, new RegExp(`^http://${project.slug}\\.[a-z0-9-]+\\.localhost:${cloud.world.appsPort}$`))
    assert.equal(await wordAt(url), 'one')
    const page = await cloudFetch(`${url}/`)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /<script/)

    const second = await cloud.build(project.id, appSaying('two'))
    assert.equal((await person.call<DeployState>(`GET ${path}/deploy`)).data.upToDate, false)
    const again = await person.call<DeployState>(`POST ${path}/deploy`)
    assert.deepEqual([again.status, again.data.sha], [200, second])
    assert.equal(await wordAt(url), 'two')

    const { data } = await person.call<{ managed: Managed[]; releases: { sha: string; current: boolean }[] }>(
      `GET ${path}/deployments`,
    )
    assert.deepEqual(
      data.managed.map((one) => [one.kind, one.name, one.status, one.url]),
      [['worker', project.slug, 'ok', url]],
    )
    assert.deepEqual(
      data.releases.map((one) => [one.sha, one.current]),
      [
        [second, true],
        [first, false],
      ],
    )
    assert.deepEqual(await eventsOf(cloud.app, person), [
      'project.created',
      'project.deployed',
      'project.deployed',
    ])
    const shown = await person.call<{ lifecycle: string; url: string }>(`GET ${path}`)
    assert.deepEqual([shown.data.lifecycle, shown.data.url], ['live', url])
  })

  test('deploying the version that is already live sends only GET requests to the cloud account', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: { ...UPLOADED, 'project.deployed': 2 },
      jobs: { deploy: 2 },
    })
    const { person, project, path } = await cloud.personWithProject()
    await cloud.build(project.id, appSaying('one'))
    await person.call(`POST ${path}/deploy`)
    const countWrites = async () => (await cloud.countCalls()) - (await cloud.countCalls('GET'))
    const writes = await countWrites()
    const again = await person.call<DeployState>(`POST ${path}/deploy`)
    assert.deepEqual([again.data.state, again.data.upToDate], ['live', true])
    assert.equal(await countWrites(), writes)
    const { data } = await person.call<{ releases: { version: string; current: boolean }[] }>(
      `GET ${path}/deployments`,
    )
    assert.equal(data.releases[0]?.version, data.releases[1]?.version)
  })

  test('two simultaneous deploy requests start one deployment, and both return this deployment', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: { ...UPLOADED, 'project.deployed': 1 },
      jobs: { deploy: 1 },
    })
    const { person, project, path } = await cloud.personWithProject()
    const sha = await cloud.build(project.id, appSaying('one'))
    const both = await Promise.all([1, 2].map(() => person.call<DeployState>(`POST ${path}/deploy`)))
    assert.deepEqual(
      both.map((one) => [one.status, one.data.sha]),
      [
        [200, sha],
        [200, sha],
      ],
    )
    assert.deepEqual(await eventsOf(cloud.app, person), ['project.created', 'project.deployed'])
  })

  test('no request to an app under load fails while five versions are deployed one after the other', async () => {
    leaves({
      events: { 'project.deployed': 6 },
      activity: { ...UPLOADED, 'project.deployed': 6, 'worker.deploy': 5, 'worker.version': 5 },
      jobs: { deploy: 6 },
    })
    const { person, project, path } = await cloud.personWithProject()
    await cloud.build(project.id, appSaying('version 0'))
    const url = (await person.call<DeployState>(`POST ${path}/deploy`)).data.url ?? ''
    const seen: string[] = []
    const done = new AbortController()
    const probe = async () => {
      while (!done.signal.aborted) {
        const answer = await cloudFetch(`${url}/api/word`)
        seen.push(answer.status === 200 ? await answer.text() : `status ${answer.status}`)
        await sleep(10)
      }
    }
    const probes = [probe(), probe()]
    const words = [1, 2, 3, 4, 5].map((n) => `version ${n}`)
    await until(async () => seen.length > 0)
    for (const word of words) {
      await cloud.build(project.id, appSaying(word))
      const asked = seen.length
      assert.equal((await person.call(`POST ${path}/deploy`)).status, 200)
      assert.ok(seen.length > asked, 'it was asked while it switched')
      assert.equal(await wordAt(url), word)
      await until(async () => seen.includes(word))
    }
    done.abort()
    await Promise.all(probes)
    assert.deepEqual([...new Set(seen)], ['version 0', ...words])
  })

  test('records survive a deployment, a preview has separate records, and an app cannot use records while `data` is off', async () => {
    leaves({
      events: { 'project.deployed': 3 },
      activity: {
        ...UPLOADED_WITH_DATA,
        'project.deployed': 3,
        'worker.deploy': 'some',
        'worker.rebind': 'any',
        'worker.version': 2,
      },
      jobs: { deploy: 4, provision: 'some' },
    })
    const { person, project, path } = await cloud.personWithProject()
    await switchOn(person, path)
    const one = await person.call<{ provision: object; resource: object }>(`GET ${path}/capabilities/data`)
    assert.deepEqual(one.data.provision, { state: 'idle', error: null })
    assert.partialDeepStrictEqual(one.data.resource, {
      kind: 'object_namespace',
      name: `${project.slug}-live`,
    })
    const ready = await person.call<{ readiness: object }>(`GET ${path}/deploy/readiness`)
    assert.deepEqual(ready.data.readiness, { ready: true, warming: [], failed: [], missing: [] })

    await cloud.build(project.id, notesApp('v1'))
    const url = (await person.call<DeployState>(`POST ${path}/deploy`)).data.url ?? ''
    const { data: preview } = await person.call<{ previewUrl: string }>(`POST ${path}/preview`, {})
    assert.equal(preview.previewUrl, url.replace(`//${project.slug}.`, `//${project.slug}-preview.`))
    assert.equal(await addNote(url, 'in production'), 200)
    assert.deepEqual(await notesAt(url), ['in production'])
    assert.deepEqual(await notesAt(preview.previewUrl), [])

    await cloud.build(project.id, notesApp('v2'))
    await person.call(`POST ${path}/deploy`)
    assert.deepEqual(await notesAt(url), ['in production'])

    await person.call(`PUT ${path}/capabilities/data`, { enabled: false })
    await until(async () => (await cloudFetch(`${url}/api/notes`)).status === 404)
    assert.equal((await cloudFetch(`${url}/`)).status, 200)
    await person.call(`PUT ${path}/capabilities/data`, { enabled: true })
    await person.call(`POST ${path}/deploy`)
    assert.deepEqual(await notesAt(url), ['in production'], 'nothing was deleted')

    assert.equal(await addNote(url, 'x'.repeat(2000)), 200)
    await person.call(`PUT ${path}/capabilities/data`, { enabled: true, settings: { maxRecordKb: 1 } })
    await until(async () => (await addNote(url, 'x'.repeat(2000))) === 400)
    assert.equal(await addNote(url, 'short'), 200)
  })

  test('an app keeps using `data` that was switched off without a connected cloud account, until the project is reconciled', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        ...UPLOADED_WITH_DATA,
        'project.deployed': 1,
        'project.reconciled': 1,
        'worker.rebind': 'any',
      },
      jobs: { deploy: 2, provision: 'some' },
    })
    const { person, project, path } = await cloud.personWithProject()
    await switchOn(person, path)
    await cloud.build(project.id, notesApp('v1'))
    const url = (await person.call<DeployState>(`POST ${path}/deploy`)).data.url ?? ''
    assert.equal(await addNote(url, 'kept'), 200)
    const { db } = cloud.app.platform
    const [connection] = await db
      .deleteFrom('connections')
      .where('org_id', '=', person.organizationId)
      .where('provider', '=', 'cloudflare')
      .returningAll()
      .execute()
    assert.ok(connection)
    const read = await person.call<{ readiness: { ready: boolean; failed: { key: string }[] } }>(
      `GET ${path}/deploy/readiness`,
    )
    assert.deepEqual(
      [read.status, read.data.readiness.ready, read.data.readiness.failed.map(({ key }) => key)],
      [200, false, ['data']],
    )
    assert.equal((await person.call(`PUT ${path}/capabilities/data`, { enabled: false })).status, 200)
    const unfinished = async () =>
      (
        await cloud.app.platform.pool.query(
          `select 1 from pgboss.job where name = 'provision' and singleton_key = $1 and state in ('created', 'active', 'retry')`,
          [project.id],
        )
      ).rowCount
    await until(async () => (await unfinished()) === 0)
    assert.deepEqual(await notesAt(url), ['kept'], 'nothing could be changed in the account')
    await db.insertInto('connections').values(connection).execute()
    await person.call(`POST ${path}/reconcile`)
    assert.equal((await cloudFetch(`${url}/api/notes`)).status, 404)
  })

  test("the readiness check names the app's Worker when it is missing, and the capability `data` when its admin Worker fails", async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: { ...UPLOADED_WITH_DATA, 'project.deployed': 1, 'worker.delete': 'some' },
      jobs: { deploy: 1, provision: 'some' },
    })
    const { person, project, path } = await cloud.personWithProject()
    await switchOn(person, path)
    await cloud.build(project.id, notesApp('v1'))
    await person.call(`POST ${path}/deploy`)
    const failedNow = async () =>
      (
        await person.call<{ readiness: { failed: { key: string; reason: string }[] } }>(
          `GET ${path}/deploy/readiness`,
        )
      ).data.readiness.failed
    assert.deepEqual(await failedNow(), [])
    const { data } = await person.call<{ managed: Managed[] }>(`GET ${path}/deployments`)
    const behind = data.managed.filter(({ name }) => name !== project.slug)
    assert.deepEqual(
      behind
        .map(({ name, kind, capability, capabilities }) => [name, kind, capability, capabilities])
        .toSorted(),
      [
        [`${project.slug}-admin`, 'worker', 'data', ['data']],
        [`${project.slug}-live`, 'object_namespace', 'data', ['data']],
        [`${project.slug}-live`, 'worker', 'data', ['data']],
      ],
    )
    const account = await cloud.accountOf(person.organizationId)
    await deleteWorker(account, project.slug)
    assert.deepEqual(await failedNow(), [
      { key: 'app', reason: `${project.slug} is missing in the cloud account.` },
    ])
    await putWorker(account, `${project.slug}-admin`, {
      mainModule: 'index.js',
      modules: { 'index.js': 'export default { fetch: () => new Response("no", { status: 500 }) }' },
      bindings: [],
      tags: [],
      compatibility: { date: '2026-06-01', flags: [] },
    })
    assert.deepEqual(
      (await failedNow()).map(({ key }) => key),
      ['app', 'data'],
    )
  })

  test('renaming a project before its first build renames the Worker of the capability `data`', async () => {
    leaves({
      events: { 'project.renamed': 1 },
      activity: { 'worker.address': 'some', 'worker.delete': 'some', 'worker.upload': 'some' },
      jobs: { provision: 'some' },
    })
    const { person, project, path } = await cloud.personWithProject()
    await switchOn(person, path)
    await person.call(`PATCH ${path}`, { name: 'Garden' })
    await switchOn(person, path)
    const { data } = await person.call<{ managed: Managed[] }>(`GET ${path}/deployments`)
    assert.deepEqual(data.managed.map((one) => [one.kind, one.name, one.status]).toSorted(), [
      ['object_namespace', 'garden-live', 'ok'],
      ['worker', 'garden-admin', 'ok'],
      ['worker', 'garden-live', 'ok'],
    ])
    assert.equal(await cloud.countCalls('DELETE', `/scripts/${project.slug}-live`), 1)
  })

  test("deploying is refused when the cloud account has a Worker of the project's name that the service did not create", async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: { ...UPLOADED, 'project.deployed': 1 },
      jobs: { deploy: 2 },
    })
    const { person, project, path } = await cloud.personWithProject()
    await cloud.build(project.id, appSaying('ours'))
    await person.call(`POST ${path}/deploy`)
    // Without a row in `resources`, the worker looks like a worker that the service did not create.
    await cloud.app.platform.db.deleteFrom('resources').where('org_id', '=', person.organizationId).execute()
    const refused = await person.call(`POST ${path}/deploy`)
    assert.equal(refused.status, 502)
    assert.match(refused.error?.message ?? '', /already holds a worker named plants/)
  })

  test('publishing a preview of unchanged content again sends nothing to the cloud account', async () => {
    leaves({
      activity: { ...UPLOADED, 'worker.deploy': 1, 'worker.version': 1 },
      jobs: { deploy: 3 },
    })
    const { person, project, path } = await cloud.personWithProject()
    const sha = await cloud.build(project.id, appSaying('one'))
    const first = await person.call<{ artifact: { sha: string; files: string[] }; previewUrl: string }>(
      `POST ${path}/preview`,
      {},
    )
    assert.equal(first.status, 200, String(first.error?.message))
    assert.equal(first.data.artifact.sha, sha)
    assert.ok(first.data.artifact.files.includes('app.json'))
    assert.equal(await wordAt(first.data.previewUrl), 'one')
    const calls = await cloud.countCalls()
    assert.equal((await person.call(`POST ${path}/preview`, {})).status, 200)
    assert.equal(await cloud.countCalls(), calls)
    await cloud.build(project.id, appSaying('two'))
    await person.call(`POST ${path}/preview`, {})
    assert.equal(await wordAt(first.data.previewUrl), 'two')
  })

  test("a deployment that Cloudflare refuses ends with Cloudflare's reason, and the old version keeps serving", async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        ...UPLOADED,
        'project.deployed': 2,
        'worker.deploy': 1,
        'worker.version': 1,
        'worker.version failed': 1,
      },
      jobs: { deploy: 3 },
    })
    const { person, project, path } = await cloud.personWithProject()
    await cloud.build(project.id, appSaying('one'))
    const url = (await person.call<DeployState>(`POST ${path}/deploy`)).data.url ?? ''
    const broken =
      "import { Hono } from 'hono'\n\nexport const routes = new Hono()\nthrow new Error('does not start')\n"
    await cloud.build(project.id, new Map([...starterTree('Plants'), ['server/routes.ts', broken]]))
    const refused = await person.call(`POST ${path}/deploy`)
    assert.deepEqual([refused.status, refused.error?.code], [502, 'upstream_error'])
    assert.match(refused.error?.message ?? '', /does not start/)
    const state = await person.call<DeployState>(`GET ${path}/deploy`)
    assert.deepEqual([state.data.state, state.data.error], ['error', refused.error?.message])
    assert.equal(await wordAt(url), 'one')
    const shown = await person.call<{ provision: { state: string } }>(`GET ${path}`)
    assert.equal(shown.data.provision.state, 'error')
    await cloud.build(project.id, appSaying('two'))
    const again = await person.call<DeployState>(`POST ${path}/deploy`)
    assert.deepEqual([again.data.state, again.data.error], ['live', null])
    assert.equal(await wordAt(url), 'two')
  })

  test("deploying beyond the plan's live projects, in a suspended organization or without a model is refused with distinct errors", async () => {
    leaves({
      events: { 'project.created': 1, 'project.deployed': 1 },
      activity: { ...UPLOADED, 'project.deployed': 1 },
      jobs: { deploy: 1 },
    })
    const { person, project, path } = await cloud.personWithProject()
    await cloud.build(project.id, appSaying('one'))
    await settings(person, { plan: 'free' })
    await person.call(`POST ${path}/deploy`)
    const other = await person.call<{ id: string }>('POST /projects', { name: 'Second' })
    await cloud.build(other.data.id, appSaying('two'))
    const second = `POST /projects/${other.data.id}/deploy`
    assert.equal((await person.call(second)).error?.code, 'payment_required')
    await settings(person, { suspended_at: cloud.app.clock.now() })
    assert.equal((await person.call(second)).error?.code, 'forbidden')
    await settings(person, { plan: 'enterprise', suspended_at: null })
    await cloud.app.platform.db
      .deleteFrom('model_connections')
      .where('org_id', '=', person.organizationId)
      .execute()
    assert.equal((await person.call(second)).error?.code, 'model_required')
  })
})
