import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { ApiError } from '../kernel/errors.ts'
import { replaceFetch, restoreFetch } from '../testing/fetch.test.fixture.ts'
import { files } from './client.ts'
import { FakeRequest, openUploads } from './request.test.fixture.ts'

const STORED = { id: 'f1', name: 'a.txt' }
const UNREACHABLE = { name: 'ApiError', code: 'unavailable', message: 'The app cannot be reached.' }

/** Resolves once all pending promise callbacks have run. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const lines = () => FakeRequest.sent.map(({ line }) => line)
const lastSent = () => FakeRequest.sent.at(-1) ?? assert.fail('nothing was sent')
const fileOf = (text: string, type = 'text/plain') => new File([text], 'a.txt', { type })

describe('files in the browser', () => {
  beforeEach(() => openUploads(null))
  afterEach(() => {
    FakeRequest.uninstall()
    restoreFetch()
  })

  test('a small file is uploaded by announcing it, and then sending it in one request with the returned token', async () => {
    const file = fileOf('pears')
    const uploading = files.upload(file)
    await settled()
    lastSent().respond({ ok: true, data: STORED })
    assert.deepEqual(await uploading, STORED)
    assert.deepEqual(
      FakeRequest.sent.map(({ line, headers, body }) => [line, headers, body]),
      [
        [
          'POST /_app/files',
          { 'content-type': 'application/json' },
          '{"name":"a.txt","type":"text/plain","size":5}',
        ],
        [
          'PUT /_app/files/f1',
          { 'x-files-token': 'a token', 'content-type': 'application/octet-stream' },
          file,
        ],
      ],
    )
  })

  test('a file upload announces the media type in lower case without parameters, and sends its upload ticket if it has one', async () => {
    const announced = async (type: string, ticket?: string) => {
      void files.upload(fileOf('pears', type), { ticket }).catch(() => {})
      const { body, headers } = lastSent()
      await settled()
      return [(JSON.parse(String(body)) as { type: string }).type, headers['x-files-ticket']]
    }
    assert.deepEqual(await announced('TEXT/HTML; charset=utf-8'), ['text/html', undefined])
    assert.deepEqual(await announced(''), ['application/octet-stream', undefined])
    assert.deepEqual(await announced('image/png', 'a ticket'), ['image/png', 'a ticket'])
  })

  test('a file with a long or unusual name can be uploaded: the name is shortened, and keeps its ending', async () => {
    const announced = async (name: string) => {
      void files.upload(new File(['pears'], name)).catch(() => {})
      await settled()
      const { body } = FakeRequest.sent.findLast(({ line }) => line === 'POST /_app/files') ?? lastSent()
      return (JSON.parse(String(body)) as { name: string }).name
    }
    assert.equal(await announced(`${'年'.repeat(84)}.pdf`), `${'年'.repeat(65)}.pdf`)
    assert.equal(await announced('a\\b\nc.txt'), 'a_b c.txt')
    assert.equal(await announced(''), 'file')
  })

  test('a large file is sent in parts, at most four at a time, and completed after the last part', async () => {
    openUploads(2)
    const uploading = files.upload(fileOf('abcdefghijk'))
    await settled()
    const parts = () => FakeRequest.sent.slice(1)
    assert.deepEqual(
      parts().map(({ line }) => line),
      [1, 2, 3, 4].map((number) => `PUT /_app/files/f1/parts/${number}`),
    )
    for (const part of [2, 0, 1, 3, 4]) {
      parts()[part]?.respond({ ok: true, data: null })
      await settled()
    }
    assert.deepEqual(
      parts().map(({ line }) => line),
      [1, 2, 3, 4, 5, 6].map((number) => `PUT /_app/files/f1/parts/${number}`),
    )
    lastSent().respond({ ok: true, data: null })
    await settled()
    const bodies = await Promise.all(
      parts().map(async ({ body }) => (body instanceof Blob ? body.text() : body)),
    )
    assert.deepEqual(bodies, ['ab', 'cd', 'ef', 'gh', 'ij', 'k', null])
    assert.equal(lastSent().line, 'POST /_app/files/f1/complete')
    lastSent().respond({ ok: true, data: STORED })
    assert.deepEqual(await uploading, STORED)
  })

  test('after a part has failed no further part is sent, and the upload is not completed', async () => {
    openUploads(2)
    const uploading = files.upload(fileOf('abcdefghijk'))
    await settled()
    const [first, second, third, fourth] = FakeRequest.sent.slice(1)
    second?.respond({ ok: false, error: { code: 'unavailable', message: 'The bucket is busy.' } })
    await assert.rejects(uploading, { code: 'unavailable', message: 'The bucket is busy.' })
    for (const part of [first, third, fourth]) part?.respond({ ok: true, data: null })
    await settled()
    assert.deepEqual(lines().slice(5), ['DELETE /_app/files/f1'])
  })

  test('a failed or aborted upload is canceled with its token, and rejects with its reason even if canceling fails', async () => {
    const stop = new AbortController()
    const reason = new Error('The person left.')
    for (const [end, error] of [
      [() => lastSent().fail(), UNREACHABLE],
      [() => stop.abort(reason), reason],
    ] as const) {
      openUploads(null)
      const uploading = files.upload(fileOf('pears'), { signal: stop.signal })
      await settled()
      end()
      await assert.rejects(uploading, error)
      const { line, headers } = lastSent()
      assert.deepEqual([line, headers], ['DELETE /_app/files/f1', { 'x-files-token': 'a token' }])
      lastSent().fail()
      await settled()
    }
  })

  test('no cancellation is sent for a file upload that succeeds', async () => {
    const uploading = files.upload(fileOf('pears'))
    await settled()
    lastSent().respond({ ok: true, data: STORED })
    await uploading
    await settled()
    assert.deepEqual(lines(), ['POST /_app/files', 'PUT /_app/files/f1'])
  })

  test('upload progress is the share of all bytes, grows with each part and never exceeds 1', async () => {
    openUploads(4)
    const shares: number[] = []
    void files.upload(fileOf('abcdefgh'), { onProgress: (share) => shares.push(share) }).catch(() => {})
    await settled()
    const [, first, second] = FakeRequest.sent
    first?.report(2)
    second?.report(1)
    first?.report(4)
    second?.report(5)
    assert.deepEqual(shares, [0.25, 0.375, 0.625, 1])
  })

  test('aborting an upload aborts its requests, sends no further requests and rejects with the reason', async () => {
    openUploads(2)
    const stop = new AbortController()
    const uploading = files.upload(fileOf('abcdefghijk'), { signal: stop.signal })
    await settled()
    const reason = new Error('The person left.')
    stop.abort(reason)
    await assert.rejects(uploading, reason)
    await settled()
    assert.deepEqual(
      FakeRequest.sent.slice(1).map(({ isAborted, line }) => isAborted || line),
      [true, true, true, true, 'DELETE /_app/files/f1'],
    )
  })

  test('a file upload whose AbortSignal was aborted beforehand sends nothing', async () => {
    const reason = new Error('The person left.')
    await assert.rejects(files.upload(fileOf('pears'), { signal: AbortSignal.abort(reason) }), reason)
    assert.deepEqual(lines(), [])
  })

  test('aborting the AbortSignal of a finished file upload changes nothing', async () => {
    const stop = new AbortController()
    const uploading = files.upload(fileOf('pears'), { signal: stop.signal })
    await settled()
    lastSent().respond({ ok: true, data: STORED })
    await uploading
    stop.abort()
    assert.deepEqual(
      FakeRequest.sent.map(({ isAborted }) => isAborted),
      [false, false],
    )
  })

  test('a file upload that the app refuses sends no bytes, and its error names the field', async () => {
    FakeRequest.answer = null
    const uploading = files.upload(fileOf('pears'))
    const message = 'type: text/plain is not accepted here'
    lastSent().respond({ ok: false, error: { code: 'invalid_request', message, field: 'type' } })
    await assert.rejects(uploading, { name: 'ApiError', code: 'invalid_request', message, field: 'type' })
    assert.deepEqual(lines(), ['POST /_app/files'])
  })

  test('a file upload whose connection is lost fails with the error for an app that cannot be reached', async () => {
    const uploading = files.upload(fileOf('pears'))
    await settled()
    lastSent().fail()
    await assert.rejects(uploading, UNREACHABLE)
  })

  test("a response to a file upload that is not the app's JSON is reported as a server error", async () => {
    const unexpected = { code: 'server_error', message: 'The app did not respond as expected.' }
    for (const text of [
      '',
      '<h1>413 Payload Too Large</h1>',
      'null',
      '[]',
      '5',
      '{"ok":"yes"}',
      '{"ok":false}',
    ]) {
      const uploading = files.upload(fileOf('pears'))
      await settled()
      lastSent().respond(text)
      await assert.rejects(uploading, (error) => {
        assert.ok(error instanceof ApiError)
        assert.deepEqual({ code: error.code, message: error.message }, unexpected)
        return true
      })
    }
  })

  test('requests to list, link or remove files contain the options that were passed in, and a link lasts an hour by default', async () => {
    const requests: unknown[] = []
    replaceFetch(async (path: string, init: RequestInit) => {
      requests.push(`${init.method} ${path}`)
      return Response.json({ ok: true, data: { url: '/a', items: [], nextCursor: null } })
    })
    assert.deepEqual(await files.list(), { url: '/a', items: [], nextCursor: null })
    await files.list({ owner: 'u_1', everyone: false, limit: 5, cursor: '1:a&b' })
    await files.list({ everyone: true })
    assert.equal(await files.url('a/b'), '/a')
    await files.url('a', { ttlSeconds: 60, download: true })
    assert.equal(await files.remove('../x'), undefined)
    assert.deepEqual(requests, [
      'GET /_app/files?',
      'GET /_app/files?owner=u_1&limit=5&cursor=1%3Aa%26b',
      'GET /_app/files?everyone=1',
      'GET /_app/files/a%2Fb/url?seconds=3600',
      'GET /_app/files/a/url?seconds=60&download=1',
      'DELETE /_app/files/..%2Fx',
    ])
  })

  test('the address of a file in a record contains its collection, record and field, and the option to download it', () => {
    const place = { collection: 'plants', id: 'a b', field: 'photo' }
    assert.equal(files.linkOf(place), '/_app/files/in/plants/a%20b/photo')
    const more = { partition: 't_1', file: 'f1', width: 256 as const, download: true }
    assert.equal(
      files.linkOf({ ...place, ...more }),
      '/_app/files/in/plants/a%20b/photo?partition=t_1&download=1&file=f1&width=256',
    )
  })
})
