import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { video } from './client.ts'

const UPLOAD_URL = 'https://upload.example.test/v1'

describe('the videos of a page', () => {
  let sent: [method: string, address: string, body: unknown][]
  let uploadAnswer: () => Promise<Response>
  beforeEach(() => {
    sent = []
    uploadAnswer = async () => new Response(null, { status: 200 })
    mock.method(globalThis, 'fetch', async (address: string, { method, body }: RequestInit) => {
      sent.push([method ?? 'GET', address, typeof body === 'string' ? JSON.parse(body) : (body ?? null)])
      if (address === UPLOAD_URL) return await uploadAnswer()
      return Response.json({ ok: true, data: { id: 'v1', uploadUrl: UPLOAD_URL } })
    })
  })
  afterEach(() => mock.restoreAll())
  const film = (name: string) => new File(['film'], name, { type: 'video/mp4' })

  test('a video is announced to the app and then sent to the upload address that the app returns', async () => {
    assert.deepEqual(await video.upload(film('a.mp4'), { maxSeconds: 60 }), { id: 'v1' })
    const [announced, uploaded] = sent
    assert.deepEqual(announced, ['POST', '/_app/video/uploads', { name: 'a.mp4', maxSeconds: 60 }])
    assert.deepEqual(uploaded?.slice(0, 2), ['POST', UPLOAD_URL])
    const form = uploaded?.[2]
    const file = form instanceof FormData && form.get('file')
    assert.equal(file instanceof File && (await file.text()), 'film')
  })

  test('a video whose file has a very long name is uploaded with a shorter name that keeps the ending', async () => {
    await video.upload(film(`${'x'.repeat(250)}.mp4`))
    assert.deepEqual(sent[0]?.[2], { name: `${'x'.repeat(196)}.mp4` })
    await video.upload(film('b.mp4'), { name: 'Our trip' })
    assert.deepEqual(sent[2]?.[2], { name: 'Our trip' })
  })

  test('a video upload that the video service refuses, or that is interrupted, fails with a readable error', async () => {
    const failures = [
      async () => new Response('too large', { status: 413 }),
      () => Promise.reject(new TypeError('fetch failed')),
    ]
    for (const failure of failures) {
      uploadAnswer = failure
      await assert.rejects(video.upload(film('a.mp4')), {
        code: 'unavailable',
        message: 'The video could not be uploaded. Try again.',
      })
      assert.deepEqual(sent.at(-1)?.slice(0, 2), ['DELETE', '/_app/video/v1'], 'its minutes are freed')
    }
  })

  test('a video id with slashes, such as one from the address of a page, does not lead to another route of the app', async () => {
    const id = '../../api/plants/1'
    const path = '/_app/video/..%2F..%2Fapi%2Fplants%2F1'
    await video.get(id)
    await video.playerUrl(id)
    await video.remove(id)
    assert.deepEqual(
      sent.map(([method, address]) => [method, address]),
      [
        ['GET', path],
        ['GET', `${path}/player`],
        ['DELETE', path],
      ],
    )
  })
})
