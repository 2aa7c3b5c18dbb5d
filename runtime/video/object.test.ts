import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { budgetHandlers } from '../directory/budget.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { ObjectVideos } from './object.ts'
import type { VideoObjectCalls } from './types.ts'

const ADA = 'u_ada'
const BOB = 'u_bob'
const START = Date.parse('2026-11-10T10:00:00Z')
const MINUTE = 60_000
const MONTH = { key: 'video', window: 'month' } as const

/** Replaces Cloudflare Stream with a list of states. */
class Studio {
  readonly storage = memoryStorage()
  readonly budget = budgetHandlers(this.storage)
  readonly at: Record<string, { state: string; duration?: number }> = {}
  readonly alarms: number[] = []
  readonly deleted: string[] = []
  isDown = false
  isHeld = false
  asked = 0
  people = [ADA, BOB]
  videos = this.open()

  /** Restarts the object on the same storage. */
  open(): ObjectVideos {
    const video = (id: string) => ({
      details: async () => {
        this.asked++
        if (this.isDown) throw new Error('502')
        const found = this.at[id]
        if (found === undefined) throw new Error('Video not found')
        const { state, duration = -1 } = found
        const at = `https://customer-1.cloudflarestream.com/${id}`
        return {
          status: { state },
          duration,
          thumbnail: `${at}/thumbnails/thumbnail.jpg`,
          preview: `${at}/watch`,
        }
      },
      delete: async () => {
        if (this.isDown) throw new Error('502')
        this.deleted.push(id)
        if (this.at[id] === undefined) throw new Error('Video not found')
        delete this.at[id]
      },
      generateToken: async () => 'token',
    })
    const hold = {
      get isHeld() {
        return false
      },
      require: () => {
        if (this.isHeld) throw new Error('held')
      },
    }
    return new ObjectVideos(
      {
        ctx: { storage: this.storage } as never,
        env: { STREAM: { video } },
        hold: hold as never,
        alarms: { set: (_kind: string, at: number) => void this.alarms.push(at) } as never,
      },
      {
        budget: (kind, ask) => this.budget[kind](ask),
        isThere: (id) => this.people.includes(id),
        report: () => {},
      },
    )
  }

  async ask<Kind extends keyof VideoObjectCalls>(kind: Kind, ask: VideoObjectCalls[Kind]['ask']) {
    const answer = await this.videos.answer(kind, ask)
    assert.ok(answer.ok)
    return answer.value
  }

  /** Reserves ten minutes and stores the upload. */
  async add(id: string, userId = ADA, limit = 100) {
    const claim = { ...MONTH, limit, amount: 10 }
    const reserved = this.budget.reserve({ claim, keptMs: 3 * 24 * 60 * MINUTE })
    assert.ok(reserved.ok)
    this.at[id] = { state: 'pendingupload' }
    return await this.ask('add', { id, userId, name: 'Trip', reservation: reserved.id })
  }

  get used() {
    return this.budget.used(MONTH)
  }

  /** Runs the next alarm. Returns in how many seconds it was due. */
  async wakeNext(): Promise<number> {
    const at = this.alarms.at(-1) ?? 0
    const pause = (at - Date.now()) / 1000
    mock.timers.setTime(at)
    await this.videos.wake()
    return pause
  }
}

describe('the videos of an app', () => {
  let studio: Studio
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date'], now: START })
    studio = new Studio()
  })
  afterEach(() => mock.timers.reset())

  test('the status of a video is checked after 15 seconds, 1, 5, 15 and 60 minutes, then every hour', async () => {
    await studio.add('v1')
    const pauses = []
    for (let i = 0; i < 6; i++) pauses.push(await studio.wakeNext())
    assert.deepEqual(pauses, [15, 60, 300, 900, 3600, 3600])
  })

  test('when a video is ready, its reserved minutes in the budget are replaced once by its actual minutes', async () => {
    await studio.add('v1')
    assert.equal(studio.used, 10)
    studio.at['v1'] = { state: 'inprogress' }
    await studio.wakeNext()
    assert.equal((await studio.ask('get', { id: 'v1' }))?.status, 'processing')
    studio.at['v1'] = { state: 'ready', duration: 61 }
    await studio.wakeNext()
    const video = await studio.ask('get', { id: 'v1' })
    assert.deepEqual([video?.status, video?.seconds, studio.used], ['ready', 61, 2])
    const { asked } = studio
    studio.videos = studio.open()
    await studio.videos.wake()
    await studio.ask('get', { id: 'v1' })
    assert.deepEqual([studio.asked, studio.used], [asked, 2], 'nothing is left to ask')
    await studio.ask('remove', { id: 'v1' })
    assert.deepEqual([studio.deleted, studio.used], [['v1'], 2], 'what was used stays used')
  })

  test('a video is counted once in the budget of minutes even if the Durable Object crashes right after counting it', async () => {
    await studio.add('v1')
    studio.at['v1'] = { state: 'ready', duration: 100 }
    const [row] = studio.storage.sql.exec<{ reservation: string }>('select reservation from videos').toArray()
    studio.budget.settle({ id: String(row?.reservation), amount: 2 })
    studio.videos = studio.open()
    await studio.wakeNext()
    assert.deepEqual([(await studio.ask('get', { id: 'v1' }))?.status, studio.used], ['ready', 2])
  })

  test('a video upload that is not used within 24 hours is deleted, and its reserved minutes are freed', async () => {
    await studio.add('v1')
    while (Date.now() < START + 23 * 60 * MINUTE) await studio.wakeNext()
    assert.equal(studio.used, 10)
    while (Date.now() < START + 24 * 60 * MINUTE) await studio.wakeNext()
    assert.deepEqual([studio.used, studio.deleted, await studio.ask('get', { id: 'v1' })], [0, ['v1'], null])
  })

  test('the reserved minutes of a video that the provider rejects are freed', async () => {
    await studio.add('v1')
    studio.at['v1'] = { state: 'error' }
    await studio.wakeNext()
    assert.deepEqual([(await studio.ask('get', { id: 'v1' }))?.status, studio.used], ['error', 0])
  })

  test("a video's status check is retried when the provider fails, and a video unknown to the provider is removed", async () => {
    await studio.add('v1')
    studio.isDown = true
    assert.equal(await studio.wakeNext(), 15)
    assert.equal((await studio.ask('get', { id: 'v1' }))?.status, 'pending')
    studio.isDown = false
    delete studio.at['v1']
    assert.equal(await studio.wakeNext(), 60)
    assert.deepEqual([await studio.ask('get', { id: 'v1' }), studio.used], [null, 0])
  })

  test('a page gets the new status of a video at once, and causes a provider call at most every two seconds', async () => {
    await studio.add('v1')
    mock.timers.setTime(START + 3000)
    studio.at['v1'] = { state: 'ready', duration: 5 }
    for (let i = 0; i < 5; i++) assert.equal((await studio.ask('get', { id: 'v1' }))?.status, 'ready')
    assert.equal(studio.asked, 1)
  })

  test('erasing a person deletes exactly their videos at the provider, and can be repeated after a failure', async () => {
    for (const id of ['v1', 'v2']) await studio.add(id)
    await studio.add('v3', BOB)
    assert.equal(await studio.ask('count', { userId: ADA }), 2)
    studio.isDown = true
    await assert.rejects(studio.videos.answer('removeOf', { userId: ADA }), /502/)
    assert.equal(await studio.ask('count', { userId: ADA }), 2)
    studio.isDown = false
    await studio.ask('removeOf', { userId: ADA })
    assert.deepEqual(studio.deleted.toSorted(), ['v1', 'v2'])
    assert.deepEqual(
      (await studio.ask('list', { userId: null, limit: 10 })).map(({ id, userId }) => [id, userId]),
      [['v3', BOB]],
    )
  })

  test('no video is stored for a person who does not exist', async () => {
    studio.people = []
    assert.equal(await studio.add('v1'), false)
    assert.deepEqual(await studio.ask('list', { userId: null, limit: 10 }), [])
  })
})
