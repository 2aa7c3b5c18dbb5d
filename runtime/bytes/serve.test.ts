import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MemoryBucket } from './bucket.test.fixture.ts'
import type { StoredObject } from './bucket.ts'
import { serveObject } from './serve.ts'

const TEXT = '0123456789'
const PNG = { httpMetadata: { contentType: 'image/png' } }
const INERT = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
}

describe('serving an object of a bucket', () => {
  function openBucket(text = TEXT) {
    const bucket = new MemoryBucket()
    const { httpEtag: etag } = bucket.store('a', text, PNG)
    const ask = async (
      headers: Record<string, string> = {},
      allow: (object: StoredObject) => boolean = () => true,
    ) => {
      const response = await serveObject(bucket, 'a', new Headers(headers), allow)
      if (response === null) return null
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      }
    }
    const whole = { ...INERT, 'accept-ranges': 'bytes', 'content-type': 'image/png', etag }
    return { bucket, etag, ask, whole }
  }

  test('a stored object is served whole, with headers that keep a browser from running it', async () => {
    const { ask, whole } = openBucket()
    assert.deepEqual(await ask(), { status: 200, headers: { ...whole, 'content-length': '10' }, text: TEXT })
  })

  test('a stored object without a media type is served as application/octet-stream', async () => {
    const { bucket, ask } = openBucket()
    bucket.store('a', '<script>')
    assert.equal((await ask())?.headers['content-type'], 'application/octet-stream')
  })

  test('a stored object that the browser already has gets a 304 response', async () => {
    const { ask, etag, whole } = openBucket()
    assert.deepEqual(await ask({ 'if-none-match': etag }), { status: 304, headers: whole, text: '' })
    assert.equal((await ask({ 'if-none-match': '"other"' }))?.status, 200)
  })

  test('request headers with conditions for writes (if-match, if-unmodified-since) do not affect a read', async () => {
    const { ask } = openBucket()
    assert.equal(
      (await ask({ 'if-match': '"other"', 'if-unmodified-since': new Date(0).toUTCString() }))?.text,
      TEXT,
    )
  })

  test('a request with a valid Range header gets that part of the stored object', async () => {
    const { ask, whole } = openBucket()
    const parts: [range: string, content: string, text: string][] = [
      ['bytes=0-0', '0-0', '0'],
      ['bytes=2-4', '2-4', '234'],
      ['bytes=7-', '7-9', '789'],
      ['bytes=7-99', '7-9', '789'],
      ['bytes=-3', '7-9', '789'],
      ['bytes=-99', '0-9', TEXT],
    ]
    for (const [range, content, text] of parts)
      assert.deepEqual(
        await ask({ range }),
        {
          status: 206,
          headers: {
            ...whole,
            'content-length': String(text.length),
            'content-range': `bytes ${content}/10`,
          },
          text,
        },
        range,
      )
  })

  test('a Range header that is malformed or names several ranges gets the whole stored object', async () => {
    const { ask } = openBucket()
    for (const range of [
      'bytes=',
      'bytes=-',
      'bytes=4-2',
      'bytes=0-1,3-4',
      'lines=0-1',
      'bytes=a-b',
      'bytes 0-1',
    ]) {
      const answer = await ask({ range })
      assert.deepEqual([answer?.status, answer?.text], [200, TEXT], range)
    }
  })

  test('a byte range outside of a stored object is refused, and the response has the size of the object', async () => {
    const headers = (size: number) => ({
      ...INERT,
      'cache-control': 'no-store',
      'content-range': `bytes */${size}`,
    })
    const { ask } = openBucket()
    for (const range of ['bytes=10-', 'bytes=10-12', 'bytes=-0'])
      assert.deepEqual(await ask({ range }), { status: 416, headers: headers(10), text: '' }, range)
    const empty = openBucket('')
    assert.deepEqual(await empty.ask({ range: 'bytes=0-' }), { status: 416, headers: headers(0), text: '' })
    assert.equal((await empty.ask())?.headers['content-length'], '0')
  })

  test('a request with If-Range gets the byte range only if the ETag matches, and otherwise the whole object', async () => {
    const { ask, etag } = openBucket()
    const answer = async (ifRange: string) => (await ask({ range: 'bytes=2-4', 'if-range': ifRange }))?.text
    assert.deepEqual(
      [await answer(etag), await answer('"other"'), await answer(`W/${etag}`)],
      ['234', TEXT, TEXT],
    )
  })

  test('when a stored object is replaced while a byte range of it is read, that range of the new object is served', async () => {
    const { bucket, ask, etag, whole } = openBucket()
    const replaceOnce = () => {
      bucket.before = (call) => {
        if (call !== 'get') return
        bucket.before = () => {}
        bucket.store('a', 'a newer text', PNG)
      }
    }
    replaceOnce()
    const part = await ask({ range: 'bytes=2-' })
    const newer = (await bucket.head('a'))?.httpEtag
    const headers = { ...whole, etag: newer, 'content-length': '10', 'content-range': 'bytes 2-11/12' }
    assert.deepEqual(part, { status: 206, headers, text: 'newer text' })
    bucket.store('a', TEXT, PNG)
    replaceOnce()
    const answer = await ask({ range: 'bytes=2-', 'if-range': etag })
    assert.deepEqual([answer?.status, answer?.text], [200, 'a newer text'])
  })

  test('a stored object that is removed while a byte range of it is read is reported as missing', async () => {
    const { bucket, ask } = openBucket()
    bucket.before = (call) => void (call === 'get' && bucket.objects.clear())
    assert.equal(await ask({ range: 'bytes=2-4' }), null)
    assert.equal(await ask(), null)
  })

  test('an object that the person may not see is reported as missing, also for range and conditional requests', async () => {
    const { ask, etag } = openBucket()
    const headers = [
      {},
      { range: 'bytes=2-4' },
      { range: 'bytes=99-' },
      { 'if-none-match': etag },
      { range: 'bytes=2-4', 'if-range': '"other"' },
    ]
    for (const asked of headers) assert.equal(await ask(asked, () => false), null, JSON.stringify(asked))
  })

  test('an object is reported as missing when the person loses access to it before the requested part is read', async () => {
    const { bucket, ask } = openBucket()
    let isAllowed = true
    bucket.before = (call) => void (isAllowed = call === 'head')
    assert.equal(await ask({ range: 'bytes=2-4' }, () => isAllowed), null)
  })
})
