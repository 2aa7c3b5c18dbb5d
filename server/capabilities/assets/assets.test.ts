import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { putBytes, setClock } from '../../attachments/testing.ts'
import { uploadKeyOf } from '../../attachments/upload-token.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { deleteWorker } from '../../cloudflare/products/workers.ts'
import { type CloudApp, openCloudApp } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { type Asset, ASSETS_MAX } from './asset.ts'
import { cleanUpAssets } from './housekeeping.ts'
import { finalizeAsset, initAsset, textAsset, uploadAsset } from './testing.ts'
import { leaves } from '../../testing/effects.ts'

describe('assets', () => {
  let cloud: CloudApp
  let person: Client
  let project: { id: string; slug: string }
  let path: string
  before(async () => {
    cloud = await openCloudApp()
    ;({ person, project, path } = await cloud.personWithProject())
  })
  after(() => cloud.close())
  beforeEach(() => setClock(cloud))

  const bytesOf = (at: string, headers: Record<string, string> = {}) =>
    person.raw(`GET ${path}/assets/${at}`, { headers })
  const statusOf = async (at: string) => {
    const answer = await bytesOf(at)
    await answer.body?.cancel()
    return answer.status
  }
  const refusal = async (key: string) => (await finalizeAsset(person, path, key)).error?.message
  /**
   * Returns the access in the metadata of an asset's object, according to the database. Returns null while the metadata still has the
   * access from before a change.
   */
  const stampOf = async (at: string) => {
    const { db } = cloud.app.platform
    const row = await db.selectFrom('assets').selectAll().where('path', '=', at).executeTakeFirst()
    return row?.is_stamped === true ? row.access : null
  }

  test('an asset upload can be opened and finalized, and the asset can then be listed, read and removed', async () => {
    leaves({
      activity: {
        'bucket.create': 1,
        'object.delete': 1,
        'object.put': 1,
        'worker.address': 'some',
        'worker.upload': 'some',
      },
    })
    const asset = await uploadAsset(person, path, textAsset('img/logo one.svg', '<svg/>', 'image/svg+xml'))
    const { createdAt, ...rest } = asset
    assert.deepEqual(rest, {
      path: 'img/logo one.svg',
      name: 'logo one.svg',
      size: 6,
      contentType: 'image/svg+xml',
      access: { kind: 'public' },
      url: null,
    })
    assert.equal(createdAt, cloud.app.clock.now().toISOString())
    assert.deepEqual((await person.call<Asset[]>(`GET ${path}/assets`)).data, [asset])
    for (const at of ['img/logo%20one.svg', 'img%2Flogo%20one.svg']) {
      const answer = await bytesOf(at)
      const names = ['content-type', 'x-content-type-options', 'content-security-policy', 'cache-control']
      assert.deepEqual(
        [answer.status, await answer.text(), ...names.map((name) => answer.headers.get(name))],
        [200, '<svg/>', 'image/svg+xml', 'nosniff', "sandbox; default-src 'none'", 'private, no-store'],
      )
    }
    const removed = await person.call<{ path: string }>(`DELETE ${path}/assets/img/logo%20one.svg`)
    assert.deepEqual(removed.data, { path: 'img/logo one.svg' })
    assert.equal(await statusOf('img/logo%20one.svg'), 404)
    assert.equal((await person.call(`DELETE ${path}/assets/img/logo%20one.svg`)).status, 404)
    assert.deepEqual((await person.call<Asset[]>(`GET ${path}/assets`)).data, [])
  })

  test('of two uploads that are opened at the same moment when the project has room for one more asset, one is refused', async () => {
    leaves({})
    await cloud.app.platform.pool.query(
      `insert into assets (org_id, project_id, path, name, account_id, size_bytes, content_type, access, stored_at, is_stamped, created_at, updated_at)
       select org_id, id, 'full/' || n, 'x', 'an account', 1, 'text/plain', '{"kind":"public"}', now(), true, now(), now()
       from projects, generate_series(1, $2::int) n where id = $1`,
      [project.id, ASSETS_MAX - 1],
    )
    const open = async (at: string) => (await initAsset(person, path, textAsset(at, 'x'))).error?.code
    const opened = await Promise.all([open('one.txt'), open('two.txt')])
    assert.deepEqual(opened.toSorted(), ['conflict', undefined])
    assert.deepEqual(await open('three.txt'), 'conflict')
    // A new content for a path that is taken needs no room.
    assert.deepEqual(
      [await open('full/1'), await open(opened[0] === undefined ? 'one.txt' : 'two.txt')],
      [undefined, undefined],
    )
    await cloud.app.platform.pool.query('delete from assets where project_id = $1', [project.id])
    await cloud.app.platform.pool.query('delete from asset_uploads where project_id = $1', [project.id])
  })

  test('a range request for an asset returns the range, and a range past the end returns 416', async () => {
    leaves({ activity: { 'object.put': 1 } })
    await uploadAsset(person, path, textAsset('range.txt', '0123456789'))
    const ask = async (range: string) => {
      const answer = await bytesOf('range.txt', { range })
      return [answer.status, await answer.text(), answer.headers.get('content-range')]
    }
    assert.deepEqual(await ask('bytes=2-4'), [206, '234', 'bytes 2-4/10'])
    assert.deepEqual(await ask('bytes=-3'), [206, '789', 'bytes 7-9/10'])
    assert.deepEqual(await ask('bytes=10-'), [416, '', 'bytes */10'])
    assert.deepEqual(await ask('bytes=0-1,4-5'), [200, '0123456789', null])
    const head = await person.raw(`HEAD ${path}/assets/range.txt`)
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10'])
  })

  test('uploading an asset to an existing path replaces its content and keeps its access and creation time', async () => {
    leaves({ activity: { 'object.put': 2 } })
    const first = await uploadAsset(person, path, textAsset('twice.txt', 'one'))
    cloud.app.clock.advance(1000)
    const second = await uploadAsset(person, path, textAsset('twice.txt', 'two two', 'text/css'))
    assert.deepEqual(second, { ...first, size: 7, contentType: 'text/css' })
    assert.equal(await (await bytesOf('twice.txt')).text(), 'two two')
  })

  test('an asset keeps its old content until the new upload is finalized', async () => {
    leaves({ activity: { 'object.put': 2 } })
    await uploadAsset(person, path, textAsset('steady.txt', 'old'))
    const next = textAsset('steady.txt', 'new')
    const { data } = await initAsset(person, path, next)
    assert.equal((await putBytes(data, next.bytes, next.contentType)).status, 200)
    assert.equal(await (await bytesOf('steady.txt')).text(), 'old')
    assert.equal(await statusOf(encodeURIComponent(data.key)), 404)
    assert.equal((await finalizeAsset(person, path, data.key, ' New name ')).data.name, 'New name')
    assert.equal(await (await bytesOf('steady.txt')).text(), 'new')
  })

  test("finalizing an asset upload is idempotent, and is refused without an upload or with another project's upload key", async () => {
    leaves({ events: { 'project.created': 1 }, activity: { 'object.put': 1 } })
    const asset = textAsset('again.txt', 'again')
    const { data } = await initAsset(person, path, asset)
    assert.equal(await refusal(data.key), 'key: nothing was uploaded under it')
    await putBytes(data, asset.bytes, asset.contentType)
    const done = await finalizeAsset(person, path, data.key)
    assert.deepEqual((await finalizeAsset(person, path, data.key)).data, done.data)
    for (const key of [
      '',
      'again.txt',
      '_upload/x',
      `_upload/${'0'.repeat(36)}`,
      `_prompt/${'a'.repeat(64)}`,
    ])
      assert.equal(await refusal(key), 'key: is not a key that an upload was opened for', key)
    const other = await person.call<{ id: string }>('POST /projects', { name: 'Another' })
    const elsewhere = await finalizeAsset(person, `/projects/${other.data.id}`, data.key)
    assert.equal(elsewhere.error?.message, 'key: is not a key that an upload was opened for')
  })

  test('repeating the finalize request of an asset upload completes it after a crash between moving and recording the bytes', async () => {
    leaves({ activity: { 'object.put': 2 } })
    const asset = textAsset('crash.txt', 'crash')
    const { data } = await initAsset(person, path, asset)
    await putBytes(data, asset.bytes, asset.contentType)
    const done = await finalizeAsset(person, path, data.key)
    const { db } = cloud.app.platform
    const id = data.key.slice('_upload/'.length)
    await db.updateTable('asset_uploads').set({ finalized_at: null }).where('id', '=', id).execute()
    await db.deleteFrom('assets').where('path', '=', asset.path).execute()
    assert.equal((await finalizeAsset(person, path, data.key)).data.size, done.data.size)
  })

  test('assets cannot be uploaded, changed or removed while the project moves to another Cloudflare account', async () => {
    leaves({ activity: { 'object.put': 1 } })
    await uploadAsset(person, path, textAsset('still.txt', 'still'))
    const opened = await initAsset(person, path, textAsset('late.txt', 'late'))
    const { db, clock } = cloud.app.platform
    const at = clock.now()
    const ids = { project_id: project.id, org_id: person.organizationId }
    const move = { ...ids, from_account: 'another', live_data: 'copy', state: 'moving' } as const
    await db
      .insertInto('moves')
      .values({ ...move, updated_at: at, created_at: at })
      .execute()
    const answers = [
      await initAsset(person, path, textAsset('new.txt', 'new')),
      await finalizeAsset(person, path, opened.data.key),
      await person.call(`PATCH ${path}/assets/still.txt`, { access: { kind: 'public' } }),
      await person.call(`DELETE ${path}/assets/still.txt`),
    ]
    for (const { status, error } of answers) assert.deepEqual([status, error?.code], [409, 'conflict'])
    await db.deleteFrom('moves').where('project_id', '=', project.id).execute()
    assert.equal(await (await bytesOf('still.txt')).text(), 'still')
  })

  test('an asset stored in a Cloudflare account that is not connected cannot be read', async () => {
    leaves({ activity: { 'object.put': 1 } })
    await uploadAsset(person, path, textAsset('far.txt', 'far'))
    const { db } = cloud.app.platform
    await db.updateTable('assets').set({ account_id: 'another' }).where('path', '=', 'far.txt').execute()
    const { status, error } = await person.call(`GET ${path}/assets/far.txt`)
    assert.deepEqual([status, error?.code], [409, 'conflict'])
    assert.match(error?.message ?? '', /account another/)
    await db.deleteFrom('assets').where('path', '=', 'far.txt').execute()
  })

  describe('the upload token', () => {
    test('the upload token of an asset cannot be used a second time, even after the upload was finalized', async () => {
      leaves({ activity: { 'object.put': 1 } })
      const asset = textAsset('once.txt', 'once')
      const { data } = await initAsset(person, path, asset)
      assert.equal((await putBytes(data, asset.bytes, asset.contentType)).status, 200)
      assert.equal((await putBytes(data, Buffer.from('evil'), asset.contentType)).status, 409)
      await finalizeAsset(person, path, data.key)
      assert.equal((await putBytes(data, Buffer.from('evil'), asset.contentType)).status, 409)
      assert.equal(await (await bytesOf('once.txt')).text(), 'once')
    })

    test('the upload token of an asset is bound to its key, size and type, and expires', async () => {
      const asset = textAsset('exact.txt', 'exact')
      const { data } = await initAsset(person, path, asset)
      const put = async (to: { uploadUrl: string; token: string }, text: string, type = 'text/plain') =>
        await putBytes(to, Buffer.from(text), type)
      assert.equal((await put(data, 'longer!')).message, 'Content-Length: must be the announced 5')
      assert.equal(
        (await put(data, 'exact', 'text/html')).message,
        'Content-Type: must be the announced text/plain',
      )
      const origin = new URL(data.uploadUrl).origin
      for (const key of ['exact.txt', '_upload/x', `_prompt/${'a'.repeat(64)}`, ''])
        assert.equal((await put({ ...data, uploadUrl: `${origin}/${key}` }, 'exact')).status, 403, key)
      cloud.app.clock.advance(-16 * 60_000)
      const late = await initAsset(person, path, asset)
      assert.equal((await put(late.data, 'exact')).status, 401)
      setClock(cloud)
      assert.equal(await refusal(data.key), 'key: nothing was uploaded under it')
    })

    test('a token of the upload worker that was signed for one purpose is refused for any other', async () => {
      leaves({ activity: { 'object.put': 1 } })
      await uploadAsset(person, path, textAsset('kept.txt', 'kept'))
      const { data } = await initAsset(person, path, textAsset('x', 'x'))
      const at = `${new URL(data.uploadUrl).origin}/kept.txt`
      const { grant } = uploadKeyOf(cloud.app.platform, project)
      const exp = Math.floor(Date.now() / 1000) + 60
      const read = grant({ use: 'get', key: 'kept.txt', exp })
      const stamp = grant({ use: 'stamp', key: 'kept.txt', exp, access: JSON.stringify({ kind: 'members' }) })
      for (const [token, method] of [
        [read, 'POST'],
        [read, 'PUT'],
        [stamp, 'GET'],
        [stamp, 'PUT'],
        [stamp, 'DELETE'],
      ] as const) {
        const answer = await cloudFetch(at, { method, headers: { authorization: `Bearer ${token}` } })
        assert.equal(answer.status, 403, method)
        await answer.body?.cancel()
      }
    })
  })

  describe('who may see an asset', () => {
    test('restricting an asset to members or buyers is refused with the name of the required capability while it is off', async () => {
      leaves({ activity: { 'object.put': 1, 'object.stamp': 1 } })
      await uploadAsset(person, path, textAsset('shy.txt', 'shy'))
      const set = (access: object) => person.call<Asset>(`PATCH ${path}/assets/shy.txt`, { access })
      const members = await set({ kind: 'members' })
      assert.equal(
        members.error?.message,
        'access: "members" needs the capability auth, which is off in this project',
      )
      const product = await set({ kind: 'product', productId: 'prod_1' })
      assert.match(product.error?.message ?? '', /^access: "product" needs the capability pay/)
      for (const access of [
        { kind: 'everyone' },
        { kind: 'product' },
        { kind: 'product', productId: '../x' },
        'public',
      ])
        assert.match((await set(access as object)).error?.message ?? '', /^access/)
      assert.deepEqual((await set({ kind: 'public' })).data.access, { kind: 'public' })
      assert.equal(
        (await person.call(`PATCH ${path}/assets/none.txt`, { access: { kind: 'public' } })).status,
        404,
      )
    })

    test('changing who may see an asset keeps its bytes and writes the new access to the metadata of its R2 object', async () => {
      leaves({ activity: { 'object.put': 2, 'object.stamp': 1 } })
      await switchOn('auth')
      await uploadAsset(person, path, textAsset('club.txt', 'club'))
      const set = await person.call<Asset>(`PATCH ${path}/assets/club.txt`, { access: { kind: 'members' } })
      assert.deepEqual(set.data.access, { kind: 'members' })
      assert.equal(await stampOf('club.txt'), '{"kind":"members"}')
      assert.equal(await (await bytesOf('club.txt')).text(), 'club')
      const again = await uploadAsset(person, path, textAsset('club.txt', 'club two'))
      assert.deepEqual([again.access, again.size], [{ kind: 'members' }, 8])
    })

    test("after a crash the scheduled task writes an asset's changed access to the metadata of its R2 object", async () => {
      leaves({ activity: { 'object.delete': 1, 'object.put': 1, 'object.stamp': 1 } })
      await uploadAsset(person, path, textAsset('cut.txt', 'cut'))
      const { db } = cloud.app.platform
      await db
        .updateTable('assets')
        .set({ access: JSON.stringify({ kind: 'members' }), is_stamped: false })
        .where('path', '=', 'cut.txt')
        .execute()
      const tidy = () => cleanUpAssets.run(cloud.app.platform, new AbortController().signal)
      await tidy()
      assert.equal(await stampOf('cut.txt'), null, 'a request may still be at it')
      cloud.app.clock.advance(180_000)
      await tidy()
      assert.equal(await stampOf('cut.txt'), '{"kind":"members"}')
    })

    test('after overlapping uploads and access changes of an asset, its R2 object has the access that was set last', async () => {
      leaves({ activity: { 'object.put': 'some', 'object.stamp': 'some' } })
      await switchOn('auth')
      await uploadAsset(person, path, textAsset('race.txt', 'race'))
      const kinds = ['members', 'public', 'members', 'public', 'members']
      const uploads = Array.from({ length: 5 }, async (_, n) => {
        const asset = textAsset('race.txt', `race ${'x'.repeat(n)}`)
        const { data } = await initAsset(person, path, asset)
        await putBytes(data, asset.bytes, asset.contentType)
        return await finalizeAsset(person, path, data.key)
      })
      const changes = kinds.map((kind) => person.call(`PATCH ${path}/assets/race.txt`, { access: { kind } }))
      const all = await Promise.all([...uploads, ...changes])
      assert.ok(all.every(({ status }) => status === 200 || status === 409))
      const last = await person.call<Asset>(`PATCH ${path}/assets/race.txt`, { access: { kind: 'members' } })
      assert.equal(await stampOf('race.txt'), '{"kind":"members"}')
      const text = await (await bytesOf('race.txt')).text()
      assert.equal(text.length, last.data.size, 'the record tells of the bytes that lie there')
    })
  })

  async function switchOn(key: string): Promise<void> {
    await cloud.app.platform.db
      .insertInto('capabilities')
      .values({
        project_id: project.id,
        key,
        enabled: true,
        settings: JSON.stringify({}),
        state: 'idle',
        error: null,
        generation: 1,
        created_at: cloud.app.clock.now(),
      })
      .onConflict((it) => it.doNothing())
      .execute()
  }

  test('expired asset uploads that were never finalized are deleted from R2 and from the database', async () => {
    leaves({ activity: { 'object.delete': 'some' } })
    const asset = textAsset('left.txt', 'left')
    const { data } = await initAsset(person, path, asset)
    await putBytes(data, asset.bytes, asset.contentType)
    cloud.app.clock.advance(20 * 60_000)
    await cleanUpAssets.run(cloud.app.platform, new AbortController().signal)
    assert.equal(await refusal(data.key), 'key: is not a key that an upload was opened for')
    const rows = await cloud.app.platform.db.selectFrom('asset_uploads').select('id').execute()
    assert.deepEqual(rows, [])
    setClock(cloud)
    const { grant } = uploadKeyOf(cloud.app.platform, project)
    const token = grant({ use: 'get', key: data.key, exp: Math.floor(Date.now() / 1000) + 60 })
    const answer = await cloudFetch(data.uploadUrl, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(answer.status, 404)
    await answer.body?.cancel()
  })

  test('the scheduled task finishes access changes and deletes expired uploads even if another Cloudflare account is unreachable', async () => {
    leaves({ activity: { 'object.delete': 'some', 'object.put': 1, 'object.stamp': 1 } })
    const { platform, clock } = cloud.app
    const { db, pool } = platform
    const { person: away, project: unreachable } = await cloud.personWithProject()
    await db.deleteFrom('connections').where('org_id', '=', away.organizationId).execute()
    const before = clock.now()
    const values = [away.organizationId, unreachable.id, before]
    await pool.query(
      `insert into assets (org_id, project_id, path, name, size_bytes, content_type, access, is_stamped, account_id,
         stored_at, updated_at, created_at)
       select $1, $2, 'a' || n, 'a', 1, 'text/plain', '{"kind":"public"}', false, 'away', $3, $3, $3
       from generate_series(1, 100) n`,
      values,
    )
    await pool.query(
      `insert into asset_uploads (id, org_id, project_id, path, account_id, expires_at, created_at)
       select gen_random_uuid()::text, $1, $2, 'a' || n, 'away', $3, $3 from generate_series(1, 100) n`,
      values,
    )
    clock.advance(1000)
    await uploadAsset(person, path, textAsset('waits.txt', 'waits'))
    await initAsset(person, path, textAsset('waits too.txt', 'waits'))
    await db
      .updateTable('assets')
      .set({ access: JSON.stringify({ kind: 'members' }), is_stamped: false, updated_at: clock.now() })
      .where('path', '=', 'waits.txt')
      .execute()
    clock.advance(30 * 60_000)
    const waiting = async () =>
      (await db.selectFrom('asset_uploads').select('id').where('project_id', '=', project.id).execute())
        .length
    // The probability that ten rounds in random order miss a reachable row is below 10^-19.
    for (let round = 0; round < 10; round++) await cleanUpAssets.run(platform, new AbortController().signal)
    assert.deepEqual([await stampOf('waits.txt'), await waiting()], ['{"kind":"members"}', 0])
  })

  test('every change that the service makes to assets in the Cloudflare account is in the activity log', async () => {
    const { data } = await person.call<{ items: { action: string; target: string }[] }>(
      'GET /activity?limit=200',
    )
    const seen = new Set(data.items.map(({ action }) => action))
    for (const action of ['bucket.create', 'worker.upload', 'object.put', 'object.stamp', 'object.delete'])
      assert.ok(seen.has(action), action)
  })

  test('an asset whose R2 bucket was removed is reported as missing from the account, and its record can be removed', async () => {
    leaves({
      activity: {
        'bucket.create': 1,
        'bucket.delete': 1,
        'bucket.empty': 1,
        'object.put': 1,
        'resource.removed': 1,
        'worker.address': 1,
        'worker.upload': 1,
      },
      jobs: { deploy: 1 },
    })
    const { person: owner, path: at } = await cloud.personWithProject()
    await uploadAsset(owner, at, textAsset('gone.txt', 'gone', 'text/plain'))
    const { data } = await owner.call<{ managed: { id: string; kind: string }[] }>(`GET ${at}/deployments`)
    const bucket = data.managed.find(({ kind }) => kind === 'bucket')
    assert.equal((await owner.call(`DELETE ${at}/resources/${bucket?.id ?? ''}`)).status, 200)
    const read = await owner.call(`GET ${at}/assets/gone.txt`)
    assert.deepEqual([read.status, read.error?.code], [502, 'upstream_error'])
    assert.match(read.error?.message ?? '', /no longer in the cloud account/)
    assert.equal((await owner.call(`DELETE ${at}/assets/gone.txt`)).status, 200)
    assert.deepEqual((await owner.call(`GET ${at}/assets`)).data, [])
  })

  test('every change of an asset is an upstream_error while the Cloudflare account refuses calls', async () => {
    leaves({
      activity: {
        'bucket.create': 1,
        'object.delete failed': 1,
        'object.put': 2,
        'worker.address': 'some',
        'worker.delete': 1,
        'worker.upload': 'some',
      },
    })
    const { person: owner, project: own, path: at } = await cloud.personWithProject()
    await uploadAsset(owner, at, textAsset('kept.txt', 'kept'))
    const { data } = await initAsset(owner, at, textAsset('new.txt', 'new'))
    await putBytes(data, Buffer.from('new'), 'text/plain')
    const account = await cloud.accountOf(owner.organizationId)
    await deleteWorker(account, `${own.slug}-assets`)
    const restore = await cloud.failCalls(account.accountId, { status: 400 })
    for (const answer of [
      await initAsset(owner, at, textAsset('other.txt', 'other')),
      await finalizeAsset(owner, at, data.key),
      await owner.call(`GET ${at}/assets/kept.txt`),
      await owner.call(`PATCH ${at}/assets/kept.txt`, { access: { kind: 'public' } }),
      await owner.call(`DELETE ${at}/assets/kept.txt`),
    ])
      assert.deepEqual([answer.status, answer.error?.code], [502, 'upstream_error'])
    await restore()
    assert.equal((await finalizeAsset(owner, at, data.key)).status, 200)
    const listed = await owner.call<{ path: string }[]>(`GET ${at}/assets`)
    assert.deepEqual(listed.data.map((asset) => asset.path).toSorted(), ['kept.txt', 'new.txt'])
    assert.equal(await (await owner.raw(`GET ${at}/assets/kept.txt`)).text(), 'kept')
  })

  test('every asset route is a 404 for another organization', async () => {
    leaves({ events: { 'project.created': 1 }, activity: { 'object.put': 1 } })
    await uploadAsset(person, path, textAsset('mine.txt', 'mine'))
    const stranger = await cloud.app.signUp()
    const own = await stranger.call<{ id: string }>('POST /projects', { name: 'Own' })
    for (const project of [path, `/projects/${own.data.id}`]) {
      const statuses = [
        (await stranger.raw(`GET ${project}/assets/mine.txt`)).status,
        (await stranger.call(`PATCH ${project}/assets/mine.txt`, { access: { kind: 'public' } })).status,
        (await stranger.call(`DELETE ${project}/assets/mine.txt`)).status,
      ]
      assert.deepEqual(statuses, [404, 404, 404])
    }
    assert.equal((await stranger.call(`GET ${path}/assets`)).status, 404)
    assert.equal((await initAsset(stranger, path, textAsset('a', 'a'))).status, 404)
    assert.equal(await statusOf('mine.txt'), 200)
  })
})
