import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  importObjects,
  NOW,
  type ObjectModules,
  ObjectWorld,
  userId,
} from '../data/partition/objects.test.fixture.ts'
import type { VideoCalls } from './types.ts'
import { DAY_MS } from '../kernel/durations.ts'
import { fieldsOf } from '../kernel/fields.ts'

const [ADA, BOB] = [userId('a'), userId('b')]
const HOST = 'shop.example.com'
const MISSING = { code: 'not_found', message: 'There is no such video.' }

/** Cloudflare Stream with only the calls that an app makes. */
class Stream {
  readonly videos = new Map<string, { state: string; params: object }>()
  /** Called before each call. May throw. */
  before: (call: string) => void = () => {}
  #tokens = 0
  #uploads = 0

  createDirectUpload = async (params: object) => {
    this.before('create')
    const id = `v${++this.#uploads}`
    this.videos.set(id, { state: 'pendingupload', params })
    return { id, uploadURL: `https://upload.example.com/${id}` }
  }

  video = (id: string) => ({
    details: async () => {
      this.before('details')
      const found = this.videos.get(id)
      if (found === undefined) throw new Error('Video not found')
      const at = `https://customer-1.cloudflarestream.com/${id}`
      return {
        status: { state: found.state },
        duration: 5,
        thumbnail: `${at}/thumbnails/thumbnail.jpg`,
        preview: `${at}/watch`,
      }
    },
    generateToken: async () => {
      this.before('token')
      return `token-${++this.#tokens}`
    },
    delete: async () => {
      this.before('delete')
      if (!this.videos.delete(id)) throw new Error('Video not found')
    },
  })
}

describe('videos in the live worker', () => {
  let modules: ObjectModules
  let world: ObjectWorld
  let stream: Stream
  let ada: string
  let bob: string
  before(async () => {
    modules = await importObjects()
  })
  beforeEach(async () => {
    ObjectWorld.install()
    stream = new Stream()
    world = new ObjectWorld(modules, {
      STREAM: stream,
      VIDEO: JSON.stringify({ monthly: 30, maxSeconds: 600, signed: false, project: 'p1' }),
    })
    ada = await world.person(ADA)
    bob = await world.person(BOB)
  })
  after(() => ObjectWorld.uninstall())

  /** Returns the result of a call: its value or its error. */
  async function ask<Kind extends keyof VideoCalls>(kind: Kind, asked: VideoCalls[Kind]['ask']) {
    const answer = await world.run(world.tier().videos(kind, asked))
    return answer.ok ? answer.value : answer.error
  }
  const create = (session = ada, more: { name?: unknown; maxSeconds?: unknown } = {}) =>
    ask('create', { session, name: 'Trip', maxSeconds: 60, host: HOST, ...more })
  const reserved = async () =>
    await world.run(world.stub('dir').budget('used', { key: 'video', window: 'month' }))
  const finish = (id: string) => void (stream.videos.get(id)!.state = 'ready')

  test('a video upload is created for its person, host and maximum length, and its minutes are reserved', async () => {
    assert.deepEqual(await create(), { id: 'v1', uploadUrl: 'https://upload.example.com/v1' })
    assert.deepEqual(stream.videos.get('v1')?.params, {
      maxDurationSeconds: 60,
      creator: ADA,
      meta: { name: 'Trip', project: 'p1', tier: 'production' },
      requireSignedURLs: false,
      allowedOrigins: [HOST],
    })
    await create(ada, { maxSeconds: null })
    assert.equal(await reserved(), 1 + 10)
  })

  test('a video upload without a valid name or length is refused, and reserves no minutes', async () => {
    const refusal = (field: string, problem: string) => ({
      code: 'invalid_request',
      message: `${field}: ${problem}`,
      field,
    })
    for (const name of ['', '  ', 'x'.repeat(201), 5, null, ['Trip']])
      assert.deepEqual(await create(ada, { name }), refusal('name', 'must have 1 to 200 characters'))
    for (const maxSeconds of [0, -1, 601, 1.5, '60', Number.NaN])
      assert.deepEqual(
        await create(ada, { maxSeconds }),
        refusal('maxSeconds', 'must be a whole number from 1 to 600'),
      )
    assert.deepEqual([await reserved(), stream.videos.size], [0, 0])
    await create(ada, { name: 'x'.repeat(200), maxSeconds: 600 })
    assert.equal(await reserved(), 10)
  })

  test('a person can have at most five unfinished video uploads, which do not limit other people', async () => {
    for (let n = 0; n < 5; n++) await create()
    const refusal = { code: 'conflict', message: '5 uploads wait already. Finish or remove one first.' }
    assert.deepEqual([await create(), await reserved()], [refusal, 5])
    assert.deepEqual(Object.keys(await create(bob)), ['id', 'uploadUrl'])
    await ask('remove', { session: ada, id: 'v1' })
    assert.deepEqual(Object.keys(await create()), ['id', 'uploadUrl'])
  })

  test('a video upload that exceeds the remaining minutes is refused with the day on which minutes are available again', async () => {
    for (let n = 0; n < 3; n++) await create(ada, { maxSeconds: 600 })
    assert.deepEqual(await create(ada, { maxSeconds: 1 }), {
      code: 'rate_limited',
      message: 'The app has fewer minutes of video left this month. More is available from 2026-12-01.',
      retryAfterSeconds: Math.ceil((Date.parse('2026-12-01') - Date.now()) / 1000),
    })
  })

  test('a video upload that Cloudflare Stream refuses reserves no minutes', async () => {
    stream.before = () => {
      throw new Error('502')
    }
    const refusal = { code: 'unavailable', message: 'Videos cannot be taken right now. Try again.' }
    assert.deepEqual([await create(), await reserved()], [refusal, 0])
  })

  test('when a person is erased while a video upload is created, the upload is deleted and its minutes are released', async () => {
    world.before = (object, method, kind) => {
      if (method === 'videos' && kind === 'add') {
        world.before = () => {}
        return world.stub('dir').users('remove', { id: ADA })
      }
      return undefined
    }
    assert.deepEqual(await create(), { code: 'unauthorized', message: 'Sign in first.' })
    assert.deepEqual([stream.videos.size, await reserved()], [0, 0])
  })

  test('the error of a failed video upload is returned even when its minutes cannot be released', async () => {
    stream.before = () => {
      throw new Error('502')
    }
    world.before = (object, method, kind) => {
      if (method === 'budget' && kind === 'release') throw new Error('The object restarts.')
    }
    const refusal = { code: 'unavailable', message: 'Videos cannot be taken right now. Try again.' }
    assert.deepEqual(await create(), refusal)
  })

  test("a person cannot read another person's video, and server code can read every video", async () => {
    await create()
    const theirs = { session: bob, id: 'v1' }
    for (const call of ['get', 'player', 'remove'] as const)
      assert.deepEqual(await ask(call, theirs), MISSING, call)
    assert.equal(stream.videos.size, 1)
    const found = await ask('get', { session: null, id: 'v1' })
    assert.deepEqual(found, {
      id: 'v1',
      userId: ADA,
      name: 'Trip',
      status: 'pending',
      seconds: null,
      posterUrl: null,
      createdAt: Reflect.get(found, 'createdAt') as string,
    })
    assert.ok(Date.parse(Reflect.get(found, 'createdAt')) >= NOW)
    for (const id of ['', 'v9', 5, null])
      assert.deepEqual(await ask('get', { session: ada, id: id as string }), MISSING)
  })

  test('a person can list only their own videos, and server code can list those of any one person', async () => {
    await create()
    await create(bob)
    const ids = async (session: string | null, id: string | null) => {
      const found = (await ask('list', { session, userId: id })) as { id: string }[]
      return found.map((one) => one.id).toSorted()
    }
    assert.deepEqual(
      [await ids(ada, null), await ids(ada, BOB), await ids(null, BOB)],
      [['v1'], ['v1'], ['v2']],
    )
    for (const userId of [undefined, null, '', 7, { id: BOB }])
      assert.equal(fieldsOf(await ask('list', { session: null, userId }))['field'], 'userId')
  })

  test('a video can be played once it is ready, and is reported as missing when Stream no longer has it', async () => {
    await create()
    const mine = { session: ada, id: 'v1' }
    assert.deepEqual(await ask('player', mine), { code: 'conflict', message: 'The video is not ready yet.' })
    finish('v1')
    await world.alarm('dir')
    assert.deepEqual(await ask('player', mine), { url: 'https://customer-1.cloudflarestream.com/v1/iframe' })
    stream.videos.clear()
    assert.deepEqual(await ask('player', mine), MISSING)
  })

  test('a video is signed by default, and each response has a new token for its picture and its player', async () => {
    delete world.env['VIDEO']
    await create()
    finish('v1')
    await world.alarm('dir')
    const mine = { session: ada, id: 'v1' }
    const poster = async () => Reflect.get(await ask('get', mine), 'posterUrl') as string
    const at = 'https://customer-1.cloudflarestream.com'
    assert.deepEqual(
      [await poster(), await poster(), await ask('player', mine)],
      [
        `${at}/token-1/thumbnails/thumbnail.jpg`,
        `${at}/token-2/thumbnails/thumbnail.jpg`,
        { url: `${at}/token-4/iframe` },
      ],
    )
  })

  test('in a list of videos, each signed video that is ready has a thumbnail with a token', async () => {
    delete world.env['VIDEO']
    for (let n = 0; n < 3; n++) await create()
    for (const id of ['v1', 'v3']) finish(id)
    // Each alarm reads the videos that are due, and the videos were added one after the other.
    for (let alarms = 0; alarms < 3; alarms++) await world.alarm('dir')
    const listed = (await ask('list', { session: ada, userId: null })) as {
      id: string
      posterUrl: string | null
    }[]
    const posters = new Map(listed.map(({ id, posterUrl }) => [id, posterUrl]))
    const signed = /^https:\/\/customer-1\.cloudflarestream\.com\/token-\d\/thumbnails\/thumbnail\.jpg$/
    assert.deepEqual([...posters.keys()].toSorted(), ['v1', 'v2', 'v3'])
    assert.equal(posters.get('v2'), null)
    for (const id of ['v1', 'v3']) assert.match(posters.get(id) ?? '', signed)
  })

  test('a video is deleted at Cloudflare Stream first, and stays listed when that fails', async () => {
    await create()
    stream.before = (call) => {
      if (call === 'delete') throw new Error('502')
    }
    const mine = { session: ada, id: 'v1' }
    await assert.rejects(ask('remove', mine), { message: '502' })
    assert.equal(Reflect.get(await ask('get', mine), 'status'), 'pending')
    stream.before = () => {}
    assert.deepEqual(
      [await ask('remove', mine), await ask('get', mine), await reserved()],
      [null, MISSING, 0],
    )
  })

  test('only people who are signed in upload, list, read or remove videos', async () => {
    const signedOut = { code: 'unauthorized', message: 'Sign in first.' }
    for (const session of ['', 'nonsense', ada.slice(0, -1)]) {
      assert.deepEqual(await create(session), signedOut)
      assert.deepEqual(await ask('list', { session, userId: ADA }), signedOut)
      for (const call of ['get', 'player', 'remove'] as const)
        assert.deepEqual(await ask(call, { session, id: 'v1' }), signedOut)
    }
  })

  test('a video upload fails with not_enabled when the app was shipped without the binding for Cloudflare Stream', async () => {
    delete world.env['STREAM']
    const refusal = { code: 'not_enabled', message: 'The app has no place for videos. Ship it again.' }
    assert.deepEqual([await create(), await reserved()], [refusal, 0])
  })

  test('a video upload that was not used within a day is removed, and its minutes are released', async () => {
    await create()
    for (let alarms = 0; alarms < 200 && stream.videos.size > 0; alarms++) await world.alarm('dir')
    assert.ok(Date.now() - NOW >= DAY_MS)
    assert.deepEqual([await ask('get', { session: ada, id: 'v1' }), await reserved()], [MISSING, 0])
  })
})
