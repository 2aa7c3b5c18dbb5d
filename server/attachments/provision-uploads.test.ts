import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { deleteWorker, rebind } from '../cloudflare/products/workers.ts'
import { deleteBucket, ensureBucket } from '../cloudflare/products/r2.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { appSaying, type CloudApp, openCloudApp, until } from '../releases/testing.ts'
import type { Teardown } from '../resources/teardown.ts'
import { type Client, testApp } from '../testing/app.ts'
import { FaultProxy } from '../testing/providers/fault-proxy.ts'
import { loadAttachments } from './load.ts'
import { sha256Of } from './stored-object.ts'
import { attach, fileOf, initUpload, putBytes, setClock } from './testing.ts'
import { uploadKeyOf } from './upload-token.ts'
import { leaves } from '../testing/effects.ts'

const PNG = 'image/png'

/** Every provider call that changes the account, in order. The tests make each of them fail once. */
const STEPS = [
  { name: 'bucket', method: 'POST', path: /\/r2\/buckets$/ },
  { name: 'worker', method: 'PUT', path: /\/workers\/scripts\/[^/]+$/ },
  { name: 'address', method: 'POST', path: /\/subdomain$/ },
] as const

describe('creating the upload bucket and worker', () => {
  const proxy = new FaultProxy()
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp((api) => proxy.listen(api))
  })
  beforeEach(() => setClock(cloud))
  after(async () => {
    await cloud.close()
    await proxy.close()
  })
  afterEach(() => proxy.disarm())

  const registeredResources = async (projectId: string) => {
    const rows = await cloud.app.platform.db
      .selectFrom('resources')
      .select(['kind', 'name', 'state'])
      .where('project_id', '=', projectId)
      .orderBy('kind')
      .execute()
    return rows.map((row) => `${row.kind} ${row.name} ${row.state}`)
  }
  const actionsOf = async (person: Client) => {
    const rows = await cloud.app.platform.db
      .selectFrom('activity')
      .select(['action', 'target', 'status', 'actor', 'project_name'])
      .where('org_id', '=', person.organizationId)
      .where('provider', '=', 'cloudflare')
      .where('action', '!=', 'connection.connected')
      .orderBy('id')
      .execute()
    return rows
  }
  const accountOf = (person: Client) =>
    cloud.app.platform.accounts.openCloud({ orgId: person.organizationId, actor: 'somebody' })
  const bucketsOf = async (person: Client) => {
    const row = await cloud.app.platform.db
      .selectFrom('connections')
      .select('account_id')
      .where('org_id', '=', person.organizationId)
      .executeTakeFirstOrThrow()
    const answer = await fetch(`${cloud.world.restUrl}/_control/resources?account=${row.account_id}`, {
      headers: { authorization: `Bearer ${cloud.world.controlToken}` },
    })
    const { workers, buckets } = (await answer.json()) as Record<'workers' | 'buckets', { name: string }[]>
    return { workers: workers.map(({ name }) => name), buckets: buckets.map(({ name }) => name) }
  }

  const orderFault = async (match: { path: string; method?: string }, effect: object) => {
    const answer = await fetch(`${cloud.world.restUrl}/_control/faults`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cloud.world.controlToken}` },
      body: JSON.stringify({ match: { provider: 'cloudflare', ...match }, do: effect }),
    })
    assert.equal(answer.status, 201)
  }

  test('the first upload of a project creates, registers and logs a bucket and a worker, and a second upload creates nothing', async () => {
    leaves({ activity: { 'bucket.create': 1, 'worker.address': 1, 'worker.upload': 1 } })
    const { person, project, path } = await cloud.personWithProject()
    assert.deepEqual(await registeredResources(project.id), [])
    await attach(person, path, fileOf(PNG), PNG)
    const name = `${project.slug}-assets`
    assert.deepEqual(await registeredResources(project.id), [`bucket ${name} ok`, `worker ${name} ok`])
    const actions = await actionsOf(person)
    assert.deepEqual(
      actions.map(({ action, target, status }) => `${action} ${target} ${status}`),
      [`bucket.create ${name} ok`, `worker.upload ${name} ok`, `worker.address ${name} ok`],
    )
    assert.deepEqual(
      [actions[0]?.actor, actions[0]?.project_name],
      [(person as { email?: string }).email, 'Plants'],
    )
    const calls = await cloud.countCalls()
    await attach(person, path, fileOf(PNG, 400), PNG)
    assert.equal(await cloud.countCalls(), calls, 'the second upload asks the account for nothing')
  })

  test('many simultaneous first uploads to a project create one bucket and one worker', async () => {
    leaves({
      activity: {
        'bucket.create': 'some',
        // The provider refuses every creation after the first; the service then uses the existing bucket.
        'bucket.create failed': 'any',
        'worker.address': 'some',
        'worker.upload': 'some',
      },
    })
    const { person, project, path } = await cloud.personWithProject()
    const files = Array.from({ length: 5 }, (_, n) => fileOf(PNG, 300 + n))
    await Promise.all(files.map((file) => attach(person, path, file, PNG)))
    const name = `${project.slug}-assets`
    assert.deepEqual(await bucketsOf(person), { workers: [name], buckets: [name] })
    assert.deepEqual(await registeredResources(project.id), [`bucket ${name} ok`, `worker ${name} ok`])
  })

  test('when a request to the cloud provider or its response is lost at any step, a first upload works with one bucket and worker', async () => {
    leaves({
      activity: {
        'bucket.create': 5,
        'bucket.create failed': 2,
        'worker.address': 6,
        'worker.upload': 6,
      },
    })
    for (const step of STEPS) {
      for (const fault of ['lose the answer', 'lose the request'] as const) {
        const { person, project, path } = await cloud.personWithProject()
        proxy.arm(step.method, step.path, fault)
        const file = fileOf(PNG)
        const first = await initUpload(person, path, file, PNG)
        assert.equal(proxy.happened, 1, `${step.name}, ${fault}: the fault happened`)
        proxy.disarm()
        assert.equal(first.status, 200, `${step.name}, ${fault}: ${first.error?.message}`)
        assert.equal((await putBytes(first.data, file, PNG)).status, 200)
        const name = `${project.slug}-assets`
        assert.deepEqual(await bucketsOf(person), { workers: [name], buckets: [name] })
      }
    }
  })

  test('the next upload to a project completes provisioning of its bucket and worker that stopped at any step', async () => {
    leaves({
      activity: {
        'bucket.create': 3,
        'bucket.create failed': 2,
        'worker.address': 3,
        'worker.address failed': 1,
        'worker.upload': 4,
        'worker.upload failed': 1,
      },
    })
    for (const step of STEPS) {
      const { person, project, path } = await cloud.personWithProject()
      // When only the response is lost, the service's own retry finds the bucket. So the creation itself has to fail here.
      proxy.arm(step.method, step.path, step.name === 'bucket' ? 'answer 500' : 'lose the answer', 100)
      const file = fileOf(PNG)
      const failed = await initUpload(person, path, file, PNG)
      assert.deepEqual([failed.status, failed.error?.code], [502, 'upstream_error'], step.name)
      proxy.disarm()
      await attach(person, path, file, PNG)
      const name = `${project.slug}-assets`
      assert.deepEqual(await registeredResources(project.id), [`bucket ${name} ok`, `worker ${name} ok`])
    }
  })

  test('the error of an upload to an account without R2 says how to switch R2 on, and a later upload succeeds', async () => {
    leaves({ activity: { 'bucket.create': 1, 'worker.address': 1, 'worker.upload': 1 } })
    const { person, path } = await cloud.personWithProject()
    await orderFault({ path: '/r2/buckets' }, { status: 403, code: 10042 })
    const answer = await initUpload(person, path, fileOf(PNG), PNG)
    assert.deepEqual([answer.status, answer.error?.code], [502, 'upstream_error'])
    assert.match(
      answer.error?.message ?? '',
      /R2 is not enabled in the connected cloud account. Enable it in its dashboard/,
    )
    await attach(person, path, fileOf(PNG), PNG)
  })

  test("an existing bucket that has the project's bucket name but was not created by Slipway is neither used nor changed", async () => {
    leaves({ activity: { 'bucket.create': 1 } })
    const { person, project, path } = await cloud.personWithProject()
    await ensureBucket(await accountOf(person), `${project.slug}-assets`)
    const answer = await initUpload(person, path, fileOf(PNG), PNG)
    assert.deepEqual([answer.status, answer.error?.code], [409, 'conflict'])
    assert.match(answer.error?.message ?? '', /already holds a bucket named .*-assets/)
    assert.deepEqual([await registeredResources(project.id), (await bucketsOf(person)).workers], [[], []])
  })

  test('the upload worker or bucket is created again after it was removed outside Slipway', async () => {
    leaves({
      activity: {
        'bucket.create': 2,
        'bucket.delete': 1,
        'object.delete': 1,
        'worker.address': 3,
        'worker.delete': 1,
        'worker.upload': 3,
      },
    })
    const { person, project, path } = await cloud.personWithProject()
    const file = fileOf(PNG)
    await attach(person, path, file, PNG)
    const name = `${project.slug}-assets`
    const account = await accountOf(person)
    await deleteWorker(account, name)
    const again = await initUpload(person, path, file, PNG)
    assert.equal((await putBytes(again.data, file, PNG)).status, 200, 'without its worker')
    await deleteBucket(account, name)
    const empty = await initUpload(person, path, file, PNG)
    assert.equal(empty.status, 200, String(empty.error?.message))
    assert.equal((await putBytes(empty.data, file, PNG)).status, 200, 'without its bucket')
  })

  test('an attachment can still be read after its upload worker was deleted or got another key outside Slipway', async () => {
    leaves({
      activity: {
        'bucket.create': 1,
        'worker.address': 3,
        'worker.delete': 1,
        'worker.rebind': 1,
        'worker.upload': 3,
      },
    })
    const { person, project, path } = await cloud.personWithProject()
    const account = await accountOf(person)
    const name = `${project.slug}-assets`
    const losses = [
      () => deleteWorker(account, name),
      () =>
        rebind(account, name, [
          { type: 'r2_bucket', name: 'BUCKET', bucket_name: name },
          {
            type: 'plain_text',
            name: 'UPLOAD_KEY',
            text: uploadKeyOf(cloud.app.platform, { id: 'x' }).publicKey,
          },
          { type: 'plain_text', name: 'VERSION', text: 'old' },
        ]),
    ]
    for (const [n, lose] of losses.entries()) {
      const file = fileOf(PNG, 600 + n)
      await attach(person, path, file, PNG)
      await lose()
      const found = await person.raw(`GET ${path}/attachments/${sha256Of(file)}`)
      assert.deepEqual([found.status, Buffer.from(await found.arrayBuffer())], [200, file])
    }
  })

  test('a renamed project still finds its attachments, and another project can take the old name', async () => {
    leaves({
      events: { 'project.created': 1, 'project.renamed': 1 },
      activity: { 'bucket.create': 2, 'worker.address': 2, 'worker.upload': 2 },
    })
    const { person, project, path } = await cloud.personWithProject('Herbs')
    const before = fileOf(PNG, 500, 'before')
    const key = await attach(person, path, before, PNG)
    await person.call(`PATCH ${path}`, { name: 'Spices' })
    const after = await attach(person, path, fileOf(PNG, 500, 'after'), PNG)
    const owned = { id: project.id, org_id: person.organizationId }
    const loaded = await loadAttachments(cloud.app.platform, owned, [key, after])
    assert.equal(loaded.length, 2)
    assert.deepEqual((await bucketsOf(person)).buckets, ['herbs-assets'])
    const other = await person.call<{ id: string; slug: string }>('POST /projects', { name: 'Herbs' })
    assert.equal(other.data.slug, 'herbs')
    await attach(person, `/projects/${other.data.id}`, before, PNG)
    const second = `herbs-${other.data.id.slice(-6)}-assets`
    assert.deepEqual((await bucketsOf(person)).buckets.toSorted(), ['herbs-assets', second].toSorted())
  })

  test('a project keeps its records and its uploads when it is renamed', async () => {
    leaves({
      events: { 'project.deployed': 1, 'project.renamed': 1 },
      activity: {
        'assets.upload': 1,
        'bucket.create': 1,
        'project.deployed': 1,
        'worker.address': 'some',
        'worker.delete': 'some',
        'worker.upload': 'some',
      },
      jobs: { deploy: 'some', provision: 'some' },
    })
    const { person, project, path } = await cloud.personWithProject('Garden')
    await attach(person, path, fileOf(PNG), PNG)
    await person.call(`PUT ${path}/capabilities/data`, { enabled: true })
    const isIdle = async () => {
      const { data } = await person.call<{ provision: { state: string } }>(`GET ${path}`)
      return data.provision.state === 'idle'
    }
    await until(isIdle)
    await person.call(`PATCH ${path}`, { name: 'Orchard' })
    await cloud.build(project.id, appSaying('one'))
    assert.equal((await person.call(`POST ${path}/deploy`)).status, 200)
    const { workers, buckets } = await bucketsOf(person)
    assert.deepEqual(workers.toSorted(), ['garden-assets', 'orchard', 'orchard-admin', 'orchard-live'])
    assert.deepEqual(buckets, ['garden-assets'])
  })

  test('deleting a project removes its upload worker, its files and its bucket', async () => {
    leaves({
      events: { 'project.deleted': 1 },
      activity: {
        'bucket.create': 1,
        'bucket.delete': 1,
        'bucket.empty': 1,
        'project.deleted': 1,
        'worker.address': 1,
        'worker.delete': 1,
        'worker.upload': 1,
      },
    })
    const { person, project, path } = await cloud.personWithProject()
    for (const size of [300, 301, 302]) await attach(person, path, fileOf(PNG, size), PNG)
    const { data } = await person.call<{ teardown: Teardown }>(`DELETE ${path}`)
    const name = `${project.slug}-assets`
    assert.deepEqual([data.teardown.remaining, data.teardown.failed], [0, []])
    assert.deepEqual(
      data.teardown.removed.map((one) => `${one.kind} ${one.name}`),
      [`worker ${name}`, `bucket ${name}`],
    )
    assert.deepEqual(await bucketsOf(person), { workers: [], buckets: [] })
    const removed = (await actionsOf(person)).map(({ action }) => action).slice(-3)
    assert.deepEqual(removed, ['bucket.empty', 'worker.delete', 'bucket.delete'])
  })

  for (const { step, activity } of [
    { step: 'bucket', activity: { 'bucket.create': 1, 'bucket.delete': 2 } },
    // The bucket that the worker is bound to was deleted with the project.
    {
      step: 'worker',
      activity: { 'bucket.create': 1, 'bucket.delete': 1, 'worker.delete': 2, 'worker.upload failed': 1 },
    },
    // The worker whose address is being enabled was deleted with the project.
    {
      step: 'address',
      activity: {
        'bucket.create': 1,
        'bucket.delete': 1,
        'worker.address failed': 1,
        'worker.delete': 2,
        'worker.upload': 1,
      },
    },
  ] as const)
    test(`deleting a project while the creation of its upload ${step} is in flight leaves nothing in the account; the upload gets a 404`, async () => {
      leaves({ events: { 'project.deleted': 1 }, activity: { 'project.deleted': 1, ...activity } })
      const { person, project, path } = await cloud.personWithProject()
      const { method, path: called } = STEPS.find(({ name }) => name === step)!
      const call = proxy.hold(method, called)
      const upload = initUpload(person, path, fileOf(PNG), PNG)
      await call.arrived
      const { data } = await person.call<{ teardown: Teardown }>(`DELETE ${path}`)
      assert.equal(data.teardown.remaining, 0)
      call.release()
      const answer = await upload
      assert.deepEqual([answer.status, answer.error?.code], [404, 'not_found'])
      assert.deepEqual(await bucketsOf(person), { workers: [], buckets: [] })
      assert.deepEqual(await registeredResources(project.id), [])
    })

  test('an attachment whose bytes are missing in the cloud account is reported by name, and a new upload restores it', async () => {
    leaves({
      activity: {
        'bucket.create': 2,
        'bucket.delete': 1,
        'object.delete': 1,
        'worker.address': 2,
        'worker.upload': 2,
      },
    })
    const { person, project, path } = await cloud.personWithProject()
    const file = fileOf(PNG, 350, 'gone')
    await attach(person, path, file, PNG)
    const name = `${project.slug}-assets`
    await deleteBucket(await accountOf(person), name)
    const missed = await person.call(`GET ${path}/attachments/${sha256Of(file)}`)
    assert.equal(missed.error?.code, 'upstream_error')
    await attach(person, path, file, PNG)
    const found = await person.raw(`GET ${path}/attachments/${sha256Of(file)}`)
    assert.deepEqual([found.status, Buffer.from(await found.arrayBuffer())], [200, file])
  })

  test('the upload worker returns 401 without a token, whatever the path', async () => {
    leaves({ activity: { 'bucket.create': 1, 'worker.address': 1, 'worker.upload': 1 } })
    const { person, path } = await cloud.personWithProject()
    const file = Buffer.from('<script>alert(1)</script>')
    const { data } = await initUpload(person, path, file, PNG)
    assert.equal((await putBytes(data, file, PNG)).status, 200)
    for (const at of ['/', '/_prompt/', `/${data.key}`, '/_app/health/x', '/%2e%2e/', '//']) {
      const answer = await cloudFetch(new URL(data.uploadUrl).origin + at)
      assert.equal(answer.status, 401, at)
      await answer.body?.cancel()
    }
  })
})

describe('uploads without a cloud account', () => {
  test('an upload without a connected Cloudflare account returns 409 and the advice to connect one, and stores nothing', async () => {
    leaves({ events: { 'project.created': 1 } })
    const app = await testApp()
    try {
      const person = await app.signUp()
      const { data } = await person.call<{ id: string }>('POST /projects', { name: 'Plants' })
      const answers = [
        await initUpload(person, `/projects/${data.id}`, fileOf(PNG), PNG),
        await person.call(`POST /projects/${data.id}/attachments/finalize`, {
          key: `_prompt/${'a'.repeat(64)}`,
        }),
      ]
      for (const answer of answers) {
        assert.deepEqual([answer.status, answer.error?.code], [409, 'conflict'])
        assert.match(answer.error?.message ?? '', /Connect a Cloudflare account/)
      }
      assert.deepEqual(await app.platform.db.selectFrom('resources').select('id').execute(), [])
    } finally {
      await app.close()
    }
  })
})
