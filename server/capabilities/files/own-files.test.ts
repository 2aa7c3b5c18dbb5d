import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { openPeopleApp, type PeopleApp, type Ref } from './testing.ts'
import { leaves } from '../../testing/effects.ts'

const ALLOWANCE = 10_000

function pngOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(crc32(body), 4)
    return [ends.subarray(0, 4), body, ends.subarray(4)]
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const rows = deflateSync(Buffer.alloc(height * (1 + width * 3)))
  const parts = [chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))].flat()
  return new Uint8Array(Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), ...parts]))
}

const widthOf = (webp: ArrayBuffer): number => Buffer.from(webp).readUInt16LE(26) & 0x3fff

/** The tests share one app with three people. Each test deletes its files. */
describe('files of people who are signed in', () => {
  let app: PeopleApp

  before(async () => {
    app = await openPeopleApp(
      {},
      {
        maxBytes: 9_000,
        perUserBytes: ALLOWANCE,
        imageWidths: [64, 256],
      },
    )
  })
  after(() => app.cloud.close())

  const list = async (who: string, query = '') =>
    (await app.json<{ items: Ref[] }>(who, 'GET', `/_app/files${query}`)).data?.items.map(({ id }) => id)
  const keys = async () => {
    const { platform, config } = app.cloud.app
    const { account_id: accountId, credential } = await platform.accounts.requireCloud(
      app.operator.organizationId,
    )
    const bucket = `${config.cloudflare.api}/accounts/${accountId}/r2/buckets/${app.slug}-files`
    const headers = { authorization: `Bearer ${await credential().token()}` }
    const answer = await cloudFetch(`${bucket}/objects`, { headers })
    return ((await answer.json()) as { result: { key: string }[] }).result.map(({ key }) => key)
  }
  const remove = (who: string, id: string) => app.json(who, 'DELETE', `/_app/files/${id}`)

  test('a person can upload, list, open, link and remove their own files', async () => {
    const file = await app.upload('ada')
    assert.deepEqual([file.ownerId, file.key], [app.ids['ada'], `f/${app.ids['ada']}/${file.id}`])
    assert.deepEqual(await list('ada'), [file.id])
    const own = await app.send('ada', 'GET', `/_app/files/${file.id}`)
    assert.deepEqual([own.status, (await own.text()).length], [200, 100])
    assert.equal(own.headers.get('cache-control'), 'private, no-store')
    const link = await app.json<{ url: string }>(
      'ada',
      'GET',
      `/_app/files/${file.id}/url?seconds=60&download=1`,
    )
    const linked = await app.send('visitor', 'GET', link.data.url)
    assert.deepEqual([linked.status, (await linked.text()).length], [200, 100])
    assert.match(linked.headers.get('content-disposition') ?? '', /^attachment/)
    assert.equal((await remove('ada', file.id)).ok, true)
    assert.deepEqual(await list('ada'), [])
    assert.equal((await app.send('visitor', 'GET', link.data.url)).status, 404)
  })

  test("every request for another person's file is a 404, and a visitor has no files", async () => {
    const file = await app.upload('ada')
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/url'],
      ['DELETE', ''],
    ] as const) {
      const other = await app.send('bob', method, `/_app/files/${file.id}${path}`)
      assert.equal(other.status, 404, `${method} ${path}`)
      const missing = await app.send('bob', method, `/_app/files/${'0'.repeat(26)}${path}`)
      assert.equal(await other.text(), await missing.text(), 'tells nothing apart')
    }
    assert.deepEqual(await list('bob'), [])
    assert.equal(
      (await app.json('bob', 'GET', `/_app/files?owner=${app.ids['ada']}`)).error?.code,
      'not_found',
    )
    assert.equal((await app.json('bob', 'GET', '/_app/files?everyone=1')).error?.code, 'not_found')
    assert.equal(
      (await app.json('bob', 'GET', '/_app/files?limit=1&limit=2')).error?.message,
      'limit: must be given once',
    )
    assert.equal((await app.open('bob', 10, { owner: app.ids['ada'] })).ok, true)
    assert.deepEqual(await list('ada'), [file.id], 'nobody uploads for another person')
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${file.id}/url`],
      ['DELETE', `/${file.id}`],
    ] as const)
      assert.equal(
        (await app.json('visitor', method, `/_app/files${path}`, method === 'POST' ? {} : undefined)).error
          ?.code,
        'unauthorized',
        method + path,
      )
    assert.equal((await app.send('visitor', 'GET', `/_app/files/${file.id}`)).status, 404)
    await remove('ada', file.id)
  })

  test('staff can list and remove the files of everyone', async () => {
    const [one, two] = [await app.upload('ada'), await app.upload('bob')]
    assert.deepEqual((await list('sam', '?everyone=1'))?.sort(), [one.id, two.id].sort())
    assert.deepEqual(await list('sam', `?owner=${app.ids['ada']}`), [one.id])
    assert.deepEqual(await list('sam'), [])
    assert.equal((await app.send('sam', 'GET', `/_app/files/${one.id}`)).status, 200)
    assert.equal((await remove('sam', one.id)).ok, true)
    assert.deepEqual(await list('ada'), [])
    await remove('bob', two.id)
  })

  test("of two simultaneous uploads that together exceed the person's storage limit, one is accepted", async () => {
    const both = await Promise.all([app.open('ada', 6_000), app.open('ada', 6_000)])
    assert.deepEqual(both.map(({ ok }) => ok).sort(), [false, true])
    const refused = both.find(({ ok }) => !ok)
    assert.match(refused?.error?.message ?? '', new RegExp(`^size: more than the ${ALLOWANCE} bytes`))
    const file = (await app.put(both.find(({ ok }) => ok)!.data, 6_000)).data
    assert.equal((await app.open('ada', 4_001)).error?.code, 'invalid_request')
    assert.equal((await app.open('bob', 9_000)).ok, true, 'another person has an allowance of their own')
    await remove('ada', file.id)
    assert.equal((await app.open('ada', 9_000)).ok, true)
  })

  test('a picture is served in the configured widths, and removing it removes the smaller copies', async () => {
    const bytes = pngOf(300, 20)
    const file = await app.store('ada', bytes, 'image/png')
    const at = `/_app/files/${file.id}`
    const shown = async (who: string, path: string) => {
      const answer = await app.send(who, 'GET', path)
      const body = await answer.arrayBuffer()
      const type = answer.headers.get('content-type')
      return [answer.status, type, type === 'image/webp' ? widthOf(body) : body.byteLength]
    }
    const whole = [200, 'image/png', bytes.length]
    for (const [query, answer] of [
      ['?width=256', [200, 'image/webp', 256]],
      ['?width=256', [200, 'image/webp', 256]],
      ['?width=64', [200, 'image/webp', 64]],
      // The whole image is returned for an invalid width, and for a width that the settings do not list.
      ['?width=128', whole],
      ['?width=-1', whole],
      // A download is saved as `photo.png`, so the response has the original bytes and not a WebP image.
      ['?width=64&download', whole],
      ['', whole],
    ] as const)
      assert.deepEqual(await shown('ada', at + query), answer, query)
    const link = await app.json<{ url: string }>('ada', 'GET', `${at}/url`)
    assert.deepEqual(await shown('visitor', `${link.data.url}&width=64`), [200, 'image/webp', 64])
    assert.equal((await app.send('bob', 'GET', `${at}?width=64`)).status, 404)
    const text = await app.upload('ada')
    assert.equal((await app.send('ada', 'GET', `/_app/files/${text.id}?width=64`)).status, 200)
    const broken = await app.store('ada', bytes.subarray(0, 60), 'image/png')
    assert.deepEqual(await shown('ada', `/_app/files/${broken.id}?width=64`), [200, 'image/png', 60])
    await app.upload('bob')
    assert.deepEqual(
      (await keys()).filter((key) => key.startsWith('w/')),
      [`w/256/${file.key}`, `w/64/${file.key}`],
    )
    assert.equal((await list('ada'))?.length, 3, 'a copy is no file')
    for (const id of (await list('ada')) ?? []) await remove('ada', id)
    assert.deepEqual(
      (await keys()).filter((key) => key.includes(app.ids['ada'] ?? '')),
      [],
    )
    for (const id of (await list('bob')) ?? []) await remove('bob', id)
  })

  test('an upload whose size differs from the announced size is refused and creates no file', async () => {
    const { data } = await app.open('sam', 500)
    assert.equal((await app.put(data, 400)).ok, false)
    assert.equal((await app.put(data, 600)).ok, false)
    assert.deepEqual(await list('sam'), [])
  })

  test('erasing a person deletes their files and ends their running uploads', async () => {
    leaves({ activity: { 'app_user.erase': 1 } })
    const file = await app.upload('sam', 50)
    const { data } = await app.operator.call<{ items: { key: string; ownerId: string | null }[] }>(
      `GET ${app.at}/capabilities/files/objects`,
    )
    assert.equal(data.items.find(({ key }) => key === file.key)?.ownerId, app.ids['sam'])
    const picture = await app.store('sam', pngOf(80, 10), 'image/png')
    assert.equal((await app.send('sam', 'GET', `/_app/files/${picture.id}?width=64`)).status, 200)
    assert.ok((await keys()).includes(`w/64/${picture.key}`))
    const going = (await app.open('sam', 60)).data
    const erased = await app.operator.call<{ removed: { files: number } }>(
      `DELETE ${app.at}/capabilities/auth/users/${app.ids['sam']}`,
    )
    assert.equal(erased.data.removed.files, 2)
    assert.deepEqual(
      (await keys()).filter((key) => key.includes(app.ids['sam'] ?? '')),
      [],
    )
    assert.equal((await app.put(going, 60)).error?.code, 'not_found')
    const after = await app.operator.call<{ items: object[] }>(`GET ${app.at}/capabilities/files/objects`)
    assert.deepEqual(after.data.items, [])
    assert.equal((await app.json('sam', 'GET', '/_app/files')).error?.code, 'unauthorized')
  })

  test("a session that has signed out can no longer open or list the person's files", async () => {
    const file = await app.upload('bob', 70)
    await app.send('bob', 'POST', '/_app/auth/sign-out', { body: '{}' })
    assert.equal((await app.json('bob', 'GET', `/_app/files/${file.id}`)).error?.code, 'unauthorized')
    assert.equal((await app.json('bob', 'GET', '/_app/files')).error?.code, 'unauthorized')
  })
})
