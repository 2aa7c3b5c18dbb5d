import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import { HeldClock } from '../../../testing/held-clock.ts'
import { openStore } from '../../../schema.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { durationOf, isVideo } from './duration.ts'
import { streamPublicRoutes } from './public-routes.ts'
import { toVideoShape } from './shapes.ts'
import { type VideoInput, Videos } from './videos.ts'

const MINUTE_MS = 60_000

/** Returns one box of an MP4 (ISO 14496-12). */
function mp4Box(type: string, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

function movieHeader(ticks: number, ticksPerSecond: number): Buffer {
  const header = Buffer.alloc(20)
  header.writeUInt32BE(ticksPerSecond, 12)
  header.writeUInt32BE(ticks, 16)
  return mp4Box('moov', mp4Box('trak', Buffer.alloc(3)), mp4Box('mvhd', header))
}

const mp4 = (seconds: number) =>
  Buffer.concat([mp4Box('ftyp', Buffer.from('isom')), movieHeader(seconds * 600, 600), Buffer.alloc(40, 7)])

describe('the length and kind of an uploaded video', () => {
  test("a video's length is read from the MP4 movie header, whatever boxes precede the header", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 4 }),
        fc.integer({ min: 0, max: 2 ** 31 }),
        fc.integer({ min: 1, max: 90_000 }),
        (before, ticks, perSecond) => {
          const bytes = Buffer.concat([
            ...before.map((content) => mp4Box('free', content)),
            movieHeader(ticks, perSecond),
          ])
          assert.equal(durationOf(bytes), ticks / perSecond)
        },
      ),
    )
  })

  test('movie headers with 64-bit times and boxes with 64-bit sizes are parsed', () => {
    const header = Buffer.alloc(32)
    header.writeUInt8(1)
    header.writeUInt32BE(1000, 20)
    header.writeBigUInt64BE(5500n, 24)
    const inner = mp4Box('mvhd', header)
    const head = Buffer.alloc(16)
    head.writeUInt32BE(1)
    head.write('moov', 4, 'latin1')
    head.writeBigUInt64BE(BigInt(inner.length + 16), 8)
    assert.equal(durationOf(Buffer.concat([head, inner])), 5.5)
  })

  test('reading the video length of arbitrary bytes never throws or loops forever', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const whole = mp4Box('moov', mp4Box('mvhd', bytes))
        for (const input of [bytes, whole, whole.subarray(0, whole.length - 1)]) {
          const found = durationOf(new Uint8Array(input))
          assert.ok(found === null || found >= 0)
        }
      }),
    )
  })

  test('a zero time scale or a truncated MP4 box gives no video length', () => {
    assert.equal(durationOf(movieHeader(100, 0)), null)
    assert.equal(durationOf(mp4(5).subarray(0, 30)), null)
    assert.equal(durationOf(Buffer.alloc(0)), null)
  })

  test('video containers are distinguished from pictures, sounds and text files that begin with similar bytes', () => {
    const transport = Buffer.alloc(376)
    transport[0] = 0x47
    transport[188] = 0x47
    for (const bytes of [
      mp4(1),
      Buffer.from('1a45dfa3000000000000', 'hex'),
      Buffer.from('OggS and more'),
      Buffer.from('RIFF\0\0\0\0AVI LIST', 'latin1'),
      Buffer.from('000001ba44000400', 'hex'),
      transport,
    ])
      assert.equal(isVideo(bytes), true, bytes.subarray(0, 12).toString('latin1'))
    for (const text of [
      'GIF89a and more',
      'Good morning',
      'RIFF\0\0\0\0WEBPVP8 ',
      'RIFF\0\0\0\0WAVEfmt ',
      '<html>',
      '',
    ])
      assert.equal(isVideo(Buffer.from(text, 'latin1')), false, text)
  })
})

describe('videos of the local cloud', () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-videos-'))
  const store = openStore(':memory:')
  const clock = new HeldClock()
  const account = createAccount(store, { name: 'Acme', plan: 'paid', at: 1 })
  const videos = new Videos({
    store,
    dir,
    now: clock.now,
    timeScale: 1,
    signingKey: 'a key for tests',
    baseUrl: () => 'http://stream.test',
  })
  const app = streamPublicRoutes(videos)
  after(() => {
    store.close()
    rmSync(dir, { recursive: true, force: true })
  })

  const createVideo = (input: VideoInput = {}) =>
    videos.create(account.id, { maxDurationSeconds: 60, ...input })
  const uploadFile = (uid: string, bytes: Buffer, field = 'file') => {
    const form = new FormData()
    form.set(field, new File([new Uint8Array(bytes)], 'a.mp4'))
    return app.request(`/upload/${uid}`, { method: 'POST', body: form })
  }
  const shapeOf = (uid: string) => {
    const video = videos.find(uid)
    assert.ok(video !== null)
    return toVideoShape(videos, video) as {
      status: { state: string; errorReasonCode: string }
      readyToStream: boolean
      duration: number
    }
  }
  /** Uploads a video and waits until it plays. */
  const createReady = async (input: VideoInput = {}, bytes = mp4(5)) => {
    const { uid } = createVideo(input)
    assert.equal((await uploadFile(uid, bytes)).status, 200)
    clock.advance(3000)
    return uid
  }

  test('an uploaded video is queued, then in progress, and after three seconds ready with its length', async () => {
    const { uid } = createVideo()
    const states = [shapeOf(uid).status.state]
    await uploadFile(uid, mp4(5))
    for (const ms of [0, 1000, 1999, 1]) {
      clock.advance(ms)
      states.push(shapeOf(uid).status.state)
    }
    assert.deepEqual(states, ['pendingupload', 'queued', 'inprogress', 'inprogress', 'ready'])
    assert.deepEqual([shapeOf(uid).readyToStream, shapeOf(uid).duration], [true, 5])
  })

  test('an uploaded file that is not a video or is too long gets the state error with a code for the reason', async () => {
    for (const [bytes, code] of [
      [Buffer.from('GIF89a, a picture'), 'ERR_NON_VIDEO'],
      [mp4(61), 'ERR_DURATION_EXCEED_CONSTRAINT'],
    ] as const) {
      const uid = await createReady({}, bytes)
      const { status, readyToStream } = shapeOf(uid)
      assert.deepEqual([status.state, status.errorReasonCode, readyToStream], ['error', code, false])
      assert.equal((await app.request(`/${uid}/watch`)).status, 404)
    }
  })

  test('a video upload link works once, until its expiry time or for half an hour', async () => {
    const uid = await createReady()
    assert.equal((await uploadFile(uid, mp4(1))).status, 400)
    const late = createVideo()
    clock.advance(30 * MINUTE_MS + 1)
    assert.equal((await uploadFile(late.uid, mp4(1))).status, 400)
    const long = createVideo({ expiry: new Date(clock.now() + 60 * MINUTE_MS).toISOString() })
    clock.advance(59 * MINUTE_MS)
    assert.equal((await uploadFile(long.uid, mp4(1))).status, 200)
    assert.equal((await uploadFile('none', mp4(1))).status, 404)
  })

  test('of two simultaneous uploads to one video upload link, only one is stored', async () => {
    const video = createVideo()
    const files = [mp4(1), mp4(2)]
    const responses = await Promise.all(files.map(async (file) => await uploadFile(video.uid, file)))
    const statuses = responses.map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [200, 400])
    assert.deepEqual(readFileSync(videos.path(video)), files[statuses.indexOf(200)])
  })

  test('a video upload whose video was deleted while the bytes arrived is refused and stores no file', () => {
    const video = createVideo()
    videos.remove(video)
    assert.deepEqual([videos.upload(video, mp4(1)), existsSync(videos.path(video))], [false, false])
  })

  test('a video upload form without a file field is refused and leaves the upload link usable', async () => {
    const { uid } = createVideo()
    assert.equal((await uploadFile(uid, mp4(1), 'video')).status, 400)
    assert.equal((await app.request(`/upload/${uid}`, { method: 'POST', body: 'no form' })).status, 400)
    assert.equal((await uploadFile(uid, mp4(1))).status, 200)
  })

  test('a protected video plays only with a token for it, until the token expires', async () => {
    const [uid, other] = [
      await createReady({ requireSignedURLs: true }),
      await createReady({ requireSignedURLs: true }),
    ]
    const playStatus = async (id: string) => (await app.request(`/${id}/watch`)).status
    const tokenOf = (id: string, until?: number) => videos.token(videos.find(id) ?? createVideo(), until)
    assert.equal(await playStatus(uid), 404)
    const token = tokenOf(uid)
    assert.equal(await playStatus(token), 200)
    const [payload, signature] = token.split('.')
    const [foreign] = tokenOf(other).split('.')
    for (const forged of [
      `${payload}.`,
      `${payload}.${signature}x`,
      `${foreign}.${signature}`,
      `.${signature}`,
    ])
      assert.equal(await playStatus(forged), 404)
    const short = tokenOf(uid, clock.now() + 1000)
    clock.advance(1001)
    assert.deepEqual([await playStatus(short), await playStatus(token)], [404, 200])
    clock.advance(60 * MINUTE_MS)
    assert.equal(await playStatus(token), 404)
  })

  test('a range request gets the requested part of a video, at most to the end of the file', async () => {
    const bytes = mp4(5)
    const uid = await createReady({}, bytes)
    const watchRange = async (range: string) => {
      const answer = await app.request(`/${uid}/watch`, { headers: { range } })
      return [answer.status, answer.headers.get('content-range'), Buffer.from(await answer.arrayBuffer())]
    }
    const size = bytes.length
    assert.deepEqual(await watchRange('bytes=0-3'), [206, `bytes 0-3/${size}`, bytes.subarray(0, 4)])
    assert.deepEqual(await watchRange('bytes=4-'), [206, `bytes 4-${size - 1}/${size}`, bytes.subarray(4)])
    assert.deepEqual(await watchRange(`bytes=${size - 2}-9999`), [
      206,
      `bytes ${size - 2}-${size - 1}/${size}`,
      bytes.subarray(size - 2),
    ])
    const [status, range] = await watchRange(`bytes=${size}-`)
    assert.deepEqual([status, range], [416, `bytes */${size}`])
    assert.deepEqual((await watchRange('items=0-3'))[0], 200)
    assert.deepEqual(await watchRange('bytes=-3'), [
      206,
      `bytes ${size - 3}-${size - 1}/${size}`,
      bytes.subarray(size - 3),
    ])
    assert.deepEqual(await watchRange('bytes=-99999'), [206, `bytes 0-${size - 1}/${size}`, bytes])
    assert.deepEqual((await watchRange('bytes=-0'))[0], 416)
    assert.deepEqual((await watchRange('bytes=-'))[0], 200)
  })

  test('a HEAD request for a video returns its size and leaves no file open', async (t) => {
    if (process.platform !== 'linux') return t.skip('the open files are read from /proc')
    // Larger than the read-ahead buffer, because a file that was read to its end is closed.
    const bytes = Buffer.concat([mp4(5), Buffer.alloc(1_000_000)])
    const uid = await createReady({}, bytes)
    const openFiles = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).endsWith(uid)
        } catch {
          // This descriptor belonged to the listing itself and is closed by now.
          return false
        }
      })
    const path = `/${uid}/watch`
    for (const range of ['', 'bytes=2-3']) {
      const answer = await app.request(path, { method: 'HEAD', headers: range === '' ? {} : { range } })
      const { status, headers } = answer
      assert.deepEqual(
        [status, headers.get('content-length'), (await answer.arrayBuffer()).byteLength],
        range === '' ? [200, String(bytes.length), 0] : [206, '2', 0],
      )
    }
    await (await app.request(path)).arrayBuffer()
    // A file that was read to its end is closed a moment later.
    for (let turn = 0; turn < 500 && openFiles().length > 0; turn++) await setImmediate()
    assert.deepEqual(openFiles(), [])
  })

  test('pages of any origin may play and upload videos', async () => {
    const asked = await app.request('/upload/x', { method: 'OPTIONS' })
    assert.deepEqual([asked.status, asked.headers.get('access-control-allow-origin')], [204, '*'])
    assert.equal((await app.request('/none/watch')).headers.get('access-control-allow-origin'), '*')
  })

  test('a deleted video no longer plays, even with a token, and other accounts never find it', async () => {
    const uid = await createReady()
    const video = videos.find(uid, account.id)
    assert.ok(video !== null)
    assert.equal(videos.find(uid, 'another account'), null)
    const token = videos.token(video)
    videos.remove(video)
    assert.equal((await app.request(`/${token}/watch`)).status, 404)
    assert.equal((await app.request(`/${uid}/thumbnails/thumbnail.jpg`)).status, 404)
  })
})
