import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { fileOf, setClock } from '../../attachments/testing.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { bucketExists, deleteBucket } from '../../cloudflare/products/r2.ts'
import { until } from '../../releases/testing.ts'
import { type AppResponse, type FilesApp, openFilesApp, type Ref } from './testing.ts'
import { leaves } from '../../testing/effects.ts'

describe('the files of an app and its operator', () => {
  let world: FilesApp
  before(async () => {
    world = await openFilesApp()
  })
  after(() => world.cloud.close())
  beforeEach(() => setClock(world.cloud))

  test('the operator can list all stored files page by page, and a browser that opens a file runs no scripts', async () => {
    for (const owner of ['u_a', 'u_b', 'u_c']) {
      await world.upload(fileOf('image/png', 100), { owner })
      await world.upload(Buffer.from('<script>1</script>'), {}, 'text/html')
    }
    type Page = { items: { key: string; name: string; ownerId: string | null }[]; nextCursor: string | null }
    const list = (query: string) =>
      world.person.call<Page>(`GET ${world.path}/capabilities/files/objects?${query}`)
    const whole = await list('limit=1000')
    assert.equal(whole.status, 200, String(whole.error?.message))
    assert.ok(whole.data.items.length > 5 && whole.data.nextCursor === null)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = (await list(`limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)).data
      seen.push(...page.items.map(({ key }) => key))
      cursor = page.nextCursor
    }
    assert.deepEqual(
      seen,
      whole.data.items.map(({ key }) => key),
    )
    const html = whole.data.items.find(({ key }) => key.includes('visitors'))
    const read = (key: string, headers: Record<string, string> = {}) =>
      world.person.raw(`GET ${world.path}/capabilities/files/object?key=${encodeURIComponent(key)}`, {
        headers,
      })
    const answer = await read(html?.key ?? '', { range: 'bytes=0-3' })
    assert.deepEqual(
      [
        answer.status,
        answer.headers.get('x-content-type-options'),
        answer.headers.get('content-security-policy'),
      ],
      [206, 'nosniff', "sandbox; default-src 'none'"],
    )
    await answer.body?.cancel()
    for (const key of ['x', 'pv/f/app/x', '../f/app/x', 'f/../f', 'f/app/none'])
      assert.equal((await read(key)).status, 404, key)
    assert.equal((await read('k'.repeat(1025))).status, 400)
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=x'])
      assert.match((await list(query)).error?.message ?? '', new RegExp(`^${query.split('=')[0]}: `), query)
    const stranger = await world.cloud.app.signUp()
    const foreign = await stranger.call(`GET ${world.path}/capabilities/files/objects`)
    assert.deepEqual([foreign.status, foreign.error?.code], [404, 'not_found'])
  })

  test('files of the preview are found neither by the live app nor by the operator', async () => {
    leaves({ activity: { 'worker.address': 'some', 'worker.upload': 'some' }, jobs: { deploy: 1 } })
    const shipped = await world.person.call(`POST ${world.path}/deploy/retry`)
    assert.equal(shipped.status, 200, String(shipped.error?.message))
    const { previewUrl } = (await world.person.call<{ previewUrl: string }>(`GET ${world.path}`)).data
    const put = await cloudFetch(`${previewUrl}/api/put?name=tried.txt`, { method: 'POST', body: 'tried' })
    const { id, key } = (await put.json()) as Ref
    const own = await cloudFetch(`${previewUrl}/api/get/${id}`)
    assert.equal(await own.text(), 'tried')
    assert.equal((await world.app(`GET /api/get/${id}`)).status, 404)
    const link = await (await cloudFetch(`${previewUrl}/api/link/${id}`)).text()
    assert.equal((await world.app(`GET ${link}`)).status, 404, 'a link of the preview is none here')
    const listed = await world.person.call<{ items: { key: string }[] }>(
      `GET ${world.path}/capabilities/files/objects?limit=1000`,
    )
    assert.ok(!listed.data.items.some((one) => one.key.endsWith(key)))
  })

  test('files cannot be uploaded or read while the files capability is off, and are not deleted', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'project.deployed': 1,
        'worker.deploy': 'some',
        'worker.rebind': 'any',
        'worker.secrets': 'any',
        'worker.upload': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some', provision: 'any' },
    })
    const file = await world.upload(fileOf('image/png', 100))
    const link = await world.linkOf(file.id)
    await world.person.call(`PUT ${world.path}/capabilities/files`, { enabled: false })
    await until(async () => (await world.app(`GET ${link}`)).status === 404)
    const ticket = await world.app('POST /api/ticket', { body: '{}' })
    assert.equal(((await ticket.json()) as AppResponse<null>).error?.code, 'not_enabled')
    const off = await world.person.call(`GET ${world.path}/capabilities/files/objects`)
    assert.equal(off.error?.code, 'not_enabled')
    await world.person.call(`PUT ${world.path}/capabilities/files`, { enabled: true })
    await world.settled()
    assert.equal((await world.person.call(`POST ${world.path}/deploy`)).status, 200)
    const again = await world.app(`GET ${link}`)
    assert.equal(again.status, 200)
    await again.body?.cancel()
  })

  test('a files bucket that a person deleted is recreated empty, and is deleted with the project', async () => {
    leaves({
      events: { 'project.deleted': 1 },
      activity: {
        'bucket.create': 1,
        'bucket.delete': 3,
        'bucket.empty': 2,
        'object.delete': 'some',
        'project.deleted': 1,
        'project.reconciled': 1,
        'resource.recreated': 1,
        'worker.delete': 4,
      },
      jobs: { deploy: 'some' },
    })
    const { app: service } = world.cloud
    const account = await service.platform.accounts.openCloud({
      orgId: world.person.organizationId,
      actor: 'test',
    })
    const lost = await world.upload(fileOf('image/png', 100))
    const { data } = await world.person.call<{ resource: { name: string } }>(
      `GET ${world.path}/capabilities/files`,
    )
    const { name } = data.resource
    await deleteBucket(account, name)
    const mended = await world.person.call<{ repaired: { name: string }[]; failed: object[] }>(
      `POST ${world.path}/reconcile`,
    )
    assert.equal(mended.status, 200, String(mended.error?.message))
    assert.ok(
      mended.data.repaired.some((one) => one.name === name),
      JSON.stringify(mended.data),
    )
    assert.equal((await world.app(`GET ${await world.linkOf(lost.id)}`)).status, 404)
    const again = await world.upload(fileOf('image/png', 200))
    assert.equal((await world.app(`GET ${await world.linkOf(again.id)}`)).status, 200)
    const gone = await world.person.call<{ teardown: { remaining: number; failed: object[] } }>(
      `DELETE ${world.path}`,
    )
    assert.deepEqual([gone.data.teardown.remaining, gone.data.teardown.failed], [0, []])
    assert.equal(await bucketExists(account, name), false)
  })
})
