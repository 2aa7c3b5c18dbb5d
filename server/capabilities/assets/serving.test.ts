import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { starterTree } from '../../agent/source/tree.ts'
import { attach, fileOf, putBytes, setClock } from '../../attachments/testing.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import type { Asset } from './asset.ts'
import { initAsset, textAsset, uploadAsset } from './testing.ts'
import { leaves } from '../../testing/effects.ts'

describe('assets in a deployed app', () => {
  let cloud: CloudApp
  let person: Client
  let path: string
  let projectId: string
  let url: string
  before(async () => {
    cloud = await openCloudApp()
    setClock(cloud)
    const made = await cloud.personWithProject('Gallery')
    ;({ person, path } = made)
    projectId = made.project.id
    // The file is attached before the rename, so the upload worker gets the project's first name.
    await attach(person, path, fileOf('image/png', 300, 'canary'), 'image/png')
    await person.call(`PATCH ${path}`, { name: 'Museum' })
    const on = await person.call(`PUT ${path}/capabilities/assets`, {
      enabled: true,
      settings: { cacheSeconds: 60 },
    })
    assert.equal(on.status, 200, String(on.error?.message))
    await settled('assets')
    await cloud.build(projectId, new Map(starterTree('Museum')))
    const shipped = await person.call<{ url: string }>(`POST ${path}/deploy`)
    assert.equal(shipped.status, 200, String(shipped.error?.message))
    url = shipped.data.url
  })
  after(() => cloud.close())
  beforeEach(() => setClock(cloud))

  const settled = (key: string) =>
    until(async () => {
      const { data } = await person.call<{ provision: { state: string; error: unknown } }>(
        `GET ${path}/capabilities/${key}`,
      )
      assert.notEqual(data.provision.state, 'error', JSON.stringify(data.provision.error))
      return data.provision.state === 'idle'
    })
  const get = (at: string, headers: Record<string, string> = {}) =>
    cloudFetch(`${url}/_app/assets/${at}`, { headers })
  const statusOf = async (at: string) => {
    const answer = await get(at)
    await answer.body?.cancel()
    return answer.status
  }

  test('an app serves a public asset with its type and the configured cache time, sandboxed so that it runs no script', async () => {
    leaves({ activity: { 'object.put': 1 } })
    const asset = await uploadAsset(person, path, textAsset('img/größe.svg', '<svg/>', 'image/svg+xml'))
    assert.equal(asset.url, `${url}/_app/assets/img/gr%C3%B6%C3%9Fe.svg`)
    const answer = await cloudFetch(asset.url ?? '')
    const names = ['content-type', 'cache-control', 'x-content-type-options', 'content-security-policy']
    assert.deepEqual(
      [answer.status, await answer.text(), ...names.map((name) => answer.headers.get(name))],
      [200, '<svg/>', 'image/svg+xml', 'public, max-age=60', 'nosniff', "sandbox; default-src 'none'"],
    )
    const etag = answer.headers.get('etag') ?? ''
    const again = await get('img/gr%C3%B6%C3%9Fe.svg', { 'if-none-match': etag })
    assert.deepEqual([again.status, await again.text()], [304, ''])
    const part = await get('img/gr%C3%B6%C3%9Fe.svg', { range: 'bytes=1-3' })
    assert.deepEqual(
      [part.status, await part.text(), part.headers.get('content-range')],
      [206, 'svg', 'bytes 1-3/6'],
    )
    const late = await get('img/gr%C3%B6%C3%9Fe.svg', { range: 'bytes=0-1', 'if-range': '"other"' })
    assert.deepEqual([late.status, await late.text()], [200, '<svg/>'])
  })

  test('no spelling of a path makes an app serve an unfinished upload, an attachment or an unknown path', async () => {
    const under = textAsset('way.txt', 'canary')
    const { data } = await initAsset(person, path, under)
    await putBytes(data, under.bytes, under.contentType)
    const hash = (
      await cloud.app.platform.db.selectFrom('attachments').select('sha256').executeTakeFirstOrThrow()
    ).sha256
    for (const key of [data.key, `_prompt/${hash}`, 'way.txt'])
      for (const at of [
        key,
        `/${key}`,
        `./${key}`,
        `x/../${key}`,
        `x/%2e%2e/${key}`,
        encodeURIComponent(key),
        encodeURIComponent(`../${key}`),
        encodeURIComponent(`x/../${key}`),
        key.replace('_', '%5F'),
        key.replace('_', '%255F'),
        `${key}?x`,
        `..%5c${key}`,
      ]) {
        const answer = await get(at)
        assert.deepEqual([answer.status, (await answer.text()).includes('canary')], [404, false], at)
      }
    for (const at of ['', '%', '%zz', '%00', 'a'.repeat(2000)])
      assert.ok((await statusOf(at)) < 500, at.slice(0, 9))
  })

  test('a renamed project still serves its assets after another capability is enabled and the app is deployed again', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'object.put': 1,
        'project.deployed': 1,
        'worker.address': 'some',
        'worker.deploy': 'some',
        'worker.upload': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some', provision: 'any' },
    })
    await uploadAsset(person, path, textAsset('stays.txt', 'stays'))
    await person.call(`PUT ${path}/capabilities/data`, { enabled: true })
    await settled('data')
    const shipped = await person.call(`POST ${path}/deploy`)
    assert.equal(shipped.error, undefined)
    assert.equal(await statusOf('stays.txt'), 200)
    const buckets = await cloud.app.platform.pool.query<{ name: string }>(
      "select name from resources where project_id = $1 and kind = 'bucket'",
      [projectId],
    )
    assert.deepEqual(
      buckets.rows.map(({ name }) => name),
      ['gallery-assets'],
    )
  })

  test('changing the cache time of assets or disabling the assets capability takes effect without a deployment', async () => {
    leaves({
      activity: {
        'object.put': 1,
        'worker.address': 'some',
        'worker.rebind': 'any',
        'worker.upload': 'some',
      },
      jobs: { provision: 'any' },
    })
    await uploadAsset(person, path, textAsset('kept.txt', 'kept'))
    await person.call(`PUT ${path}/capabilities/assets`, { enabled: true, settings: { cacheSeconds: 5 } })
    await settled('assets')
    await until(async () => (await get('kept.txt')).headers.get('cache-control') === 'public, max-age=5')
    await person.call(`PUT ${path}/capabilities/assets`, { enabled: false })
    await until(async () => (await statusOf('kept.txt')) === 404)
    assert.equal((await person.raw(`GET ${path}/assets/kept.txt`)).status, 200, 'nothing is deleted')
    assert.equal((await person.call<Asset[]>(`GET ${path}/assets`)).data[0]?.url, null)
  })
})

/** The tests share one shipped app with accounts and an asset. */
describe('assets for members', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
    setClock(cloud)
  })
  after(() => cloud.close())

  test('an asset for members is served to members only, and to everyone once it is public', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'bucket.create': 1,
        'object.put': 1,
        'object.stamp': 2,
        'project.deployed': 1,
        'worker.address': 'some',
        'worker.upload': 'some',
      },
      jobs: { deploy: 'some', provision: 'any' },
    })
    const { person, path, project } = await cloud.personWithProject('Club')
    for (const key of ['assets', 'auth'])
      await person.call(`PUT ${path}/capabilities/${key}`, { enabled: true })
    await cloud.build(project.id, new Map(starterTree('Club')))
    const { data, error } = await person.call<{ url: string }>(`POST ${path}/deploy`)
    assert.equal(error, undefined)
    await uploadAsset(person, path, textAsset('shy.txt', 'shy'))
    const get = async (headers: Record<string, string> = {}) => {
      const answer = await cloudFetch(`${data.url}/_app/assets/shy.txt`, { headers })
      return [answer.status, answer.headers.get('cache-control'), (await answer.text()).includes('shy')]
    }
    const set = (kind: string) => person.call<Asset>(`PATCH ${path}/assets/shy.txt`, { access: { kind } })
    assert.deepEqual(await get(), [200, 'public, max-age=3600', true])
    const copy = await cloudFetch(`${data.url}/_app/assets/shy.txt`)
    await copy.body?.cancel()
    // A browser uses the ETag to revalidate its cached copy.
    const etag = copy.headers.get('etag') ?? ''
    assert.notEqual(etag, '')
    assert.equal((await set('members')).status, 200)
    const hidden = [404, 'no-store', false]
    for (const headers of [
      {},
      { range: 'bytes=0-1' },
      { 'if-none-match': '"x"' },
      { 'if-none-match': etag },
      { 'slipway-viewer': 'member' },
    ])
      assert.deepEqual(await get(headers), hidden, JSON.stringify(headers))
    const signUp = await cloudFetch(`${data.url}/_app/auth/sign-up`, {
      method: 'POST',
      body: JSON.stringify({ email: 'ada@example.test', password: 'ada likes apples', name: 'Ada' }),
    })
    await signUp.body?.cancel()
    const cookie = signUp.headers.get('set-cookie')?.split(';')[0] ?? ''
    assert.deepEqual(await get({ cookie }), [200, 'private, no-store', true])
    assert.deepEqual(await get({ cookie: `${cookie}0` }), hidden)
    const out = await cloudFetch(`${data.url}/_app/auth/sign-out`, {
      method: 'POST',
      headers: { cookie },
      body: '{}',
    })
    await out.body?.cancel()
    for (const headers of [{ cookie }, { cookie, 'if-none-match': etag }])
      assert.deepEqual(await get(headers), hidden, 'the session has ended')
    const product = await person.call(`PATCH ${path}/assets/shy.txt`, {
      access: { kind: 'product', productId: 'prod_1' },
    })
    assert.match(product.error?.message ?? '', /needs the capability pay/)
    assert.deepEqual(await get(), hidden)
    assert.equal((await set('public')).status, 200)
    assert.deepEqual(await get(), [200, 'public, max-age=3600', true])
  })
})
