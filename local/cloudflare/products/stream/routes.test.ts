import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud } from '../../../testing/cloud.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { issueToken } from '../../accounts/tokens.ts'

interface Shape {
  uid: string
  uploadURL: string
  uploadExpiry: string
  meta: object
}

describe('videos of an account over REST', () => {
  let cloud: TestCloud
  beforeEach(() => {
    cloud = testCloud()
  })
  afterEach(() => cloud.close())

  const call = async (method: string, path: string, body?: object, token?: string) => {
    const answer = await cloud.call(method, `/A/stream${path}`, body, token)
    return answer.success ? answer.result : [answer.status, answer.errors[0]?.code]
  }
  const create = async (more: object = {}) =>
    (await call('POST', '/direct_upload', { maxDurationSeconds: 60, ...more })) as Shape
  const list = async (query = '') => ((await call('GET', query)) as Shape[]).map(({ uid }) => uid)

  test('a video upload link needs maxDurationSeconds from 1 to 36,000, and has a unique URL', async () => {
    const made = await create()
    assert.deepEqual(made, {
      uid: made.uid,
      id: made.uid,
      uploadURL: `http://stream.test/upload/${made.uid}`,
      scheduledDeletion: null,
      watermark: null,
    })
    for (const seconds of [0, 36_001, 1.5, undefined])
      assert.deepEqual(await create({ maxDurationSeconds: seconds }), [400, 10001])
    assert.deepEqual(await create({ expiry: 'tomorrow' }), [400, 10001])
    assert.notDeepEqual((await create({ maxDurationSeconds: 36_000 })).uid, made.uid)
  })

  test('the list of videos is filtered by creator, name, state and time', async () => {
    const { uid: first } = await create({ creator: 'ada', meta: { name: 'Garden' } })
    const { uid: second } = await create({ creator: 'bob' })
    assert.deepEqual(
      [
        (await list()).sort(),
        await list('?creator=ada'),
        await list('?search=ard'),
        await list('?search=none'),
        (await list('?status=pendingupload')).sort(),
        await list('?status=ready'),
        await list('?before=2020-01-01T00:00:00Z'),
        (await list('?before=2999-01-01T00:00:00Z')).sort(),
        await list('?video_name=Garden'),
        await list('?video_name=Gard'),
        await list(`?id=${second},none`),
      ],
      [
        [first, second].sort(),
        [first],
        [first],
        [],
        [first, second].sort(),
        [],
        [],
        [first, second].sort(),
        [first],
        [],
        [second],
      ],
    )
  })

  test("videos are listed in one response, or in pages that each continue after the previous page's last video", async () => {
    const made: string[] = []
    for (let n = 0; n < 45; n++) {
      const { uid } = cloud.videos.create(cloud.accountId, {})
      cloud.store.run('UPDATE stream_videos SET created_at = ? WHERE uid = ?', n, uid)
      made.unshift(uid)
    }
    assert.deepEqual(await list(), made)
    assert.deepEqual(await list('?asc=true'), made.toReversed())
    assert.deepEqual(await list('?per_page=1&page=2'), made, 'the provider has no pages here')
    const read: string[] = []
    for (let query = ''; ;) {
      const part = (await call('GET', `?limit=20${query}`)) as { uid: string; created: string }[]
      read.push(...part.map(({ uid }) => uid))
      const last = part.at(-1)
      if (last === undefined) break
      query = `&before=${last.created}`
    }
    assert.deepEqual(read, made)
    const after = new Date(42).toISOString()
    assert.deepEqual(
      [await list(`?start=${after}`), await list(`?after=${after}`)],
      [made.slice(0, 2), made.slice(0, 2)],
    )
    const end = new Date(2).toISOString()
    assert.deepEqual(await list(`?end=${end}`), made.slice(-2))
  })

  test('a list of videos contains the number of listed and matching videos only with include_counts', async () => {
    for (const creator of ['ada', 'ada', 'bob']) await create({ creator })
    const countsOf = async (query: string) => {
      const answer = await cloud.call('GET', `/A/stream?creator=ada&limit=1${query}`)
      return Object.entries(answer).filter(([name]) => ['range', 'total'].includes(name))
    }
    assert.deepEqual(await countsOf('&include_counts=true'), [
      ['range', 1],
      ['total', 2],
    ])
    assert.deepEqual([await countsOf(''), await countsOf('&include_counts=false')], [[], []])
  })

  test('a list of videos with a wrong limit, time or order is refused', async () => {
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'before=yesterday', 'start=2026', 'asc=1'])
      assert.deepEqual(await call('GET', `?${query}`), [400, 10001], query)
  })

  test('changing a video keeps the fields that the request does not name, and null removes the creator', async () => {
    const { uid } = await create({ creator: 'ada', meta: { name: 'Garden' }, requireSignedURLs: true })
    const change = async (body: object) => {
      const { creator, meta, requireSignedURLs } = (await call('POST', `/${uid}`, body)) as Record<
        string,
        unknown
      >
      return [creator, meta, requireSignedURLs]
    }
    assert.deepEqual(
      [
        await change({}),
        await change({ creator: null }),
        await change({ meta: {}, requireSignedURLs: false }),
      ],
      [
        ['ada', { name: 'Garden' }, true],
        [null, { name: 'Garden' }, true],
        [null, {}, false],
      ],
    )
    assert.deepEqual(await call('POST', `/${uid}`, { creator: 'x'.repeat(65) }), [400, 10001])
  })

  test('a video token is valid until the requested time, or for the default time when the request has no body', async () => {
    const { uid } = await create({ requireSignedURLs: true })
    const tokenFor = async (body?: object) =>
      ((await call('POST', `/${uid}/token`, body)) as { token: string }).token
    const seconds = Math.floor(Date.now() / 1000)
    const finds = (token: string) => cloud.videos.findPlayable(token)?.uid ?? null
    assert.deepEqual(
      [
        finds(await tokenFor()),
        finds(await tokenFor({ exp: seconds + 600 })),
        finds(await tokenFor({ exp: 1 })),
        finds(uid),
      ],
      [uid, uid, null, null],
    )
    assert.deepEqual(await call('POST', `/${uid}/token`, { exp: 'soon' }), [400, 10001])
  })

  test('an account has at most one video webhook, whose URL can be replaced and removed', async () => {
    const put = (notificationUrl: string) => call('PUT', '/webhook', { notificationUrl })
    const made = (await put('https://a.test/hook')) as { notificationUrl: string }
    assert.equal(made.notificationUrl, 'https://a.test/hook')
    await put('https://b.test/hook')
    const { notificationUrl } = (await call('GET', '/webhook')) as typeof made
    assert.deepEqual([notificationUrl, await put('no address')], ['https://b.test/hook', [400, 10001]])
    assert.deepEqual(
      [await call('DELETE', '/webhook'), await call('GET', '/webhook'), await call('DELETE', '/webhook')],
      ['', [404, 10003], ''],
    )
  })

  test("an account's video storage usage is the total length of its videos, rounded up to minutes", async () => {
    const { uid } = await create()
    await create()
    cloud.store.run('UPDATE stream_videos SET duration_seconds = 61 WHERE uid = ?', uid)
    const usage = (minutes: number, videos: number) => ({
      totalStorageMinutes: minutes,
      totalStorageMinutesLimit: 1000,
      videoCount: videos,
      creator: null,
    })
    assert.deepEqual(await call('GET', '/storage-usage'), usage(2, 2))
    await call('DELETE', `/${uid}`)
    assert.deepEqual(await call('GET', '/storage-usage'), usage(0, 1))
  })

  test('a request for a deleted video, or a video of another account, returns 404', async () => {
    const { uid } = await create()
    const { id } = createAccount(cloud.store, { name: 'Other', plan: 'paid', at: 1 })
    const { secret } = issueToken(cloud.store, { kind: 'api', accountId: id, scopes: [], at: 1 })
    const routes = [
      ['GET', '', undefined],
      ['POST', '', {}],
      ['POST', '/token', undefined],
      ['DELETE', '', undefined],
    ] as const
    for (const [method, path, body] of routes) {
      const answer = await cloud.call(method, `/accounts/${id}/stream/${uid}${path}`, body, secret)
      assert.deepEqual([answer.status, answer.errors[0]?.code], [404, 10003])
    }
    assert.deepEqual(await call('DELETE', `/${uid}`), null)
    for (const [method, path, body] of routes)
      assert.deepEqual(await call(method, `/${uid}${path}`, body), [404, 10003])
  })
})
