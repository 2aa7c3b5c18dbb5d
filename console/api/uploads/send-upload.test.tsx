import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { text } from 'node:stream/consumers'
import { sendUpload } from './send-upload.ts'

interface Received {
  token: string | undefined
  type: string | undefined
  body: string
}

describe('an upload to the upload worker', () => {
  const received: Received[] = []
  let statuses: number[] = []
  let isStuck = false
  let url = ''
  const read = async (request: IncomingMessage): Promise<Received> => ({
    token: request.headers.authorization,
    type: request.headers['content-type'],
    body: await text(request),
  })
  const worker = createServer(async (request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Access-Control-Allow-Headers', 'authorization, content-type')
    response.setHeader('Access-Control-Allow-Methods', 'PUT')
    if (request.method === 'OPTIONS') return response.writeHead(204).end()
    received.push(await read(request))
    if (!isStuck) response.writeHead(statuses.shift() ?? 200).end()
  })
  before(async () => {
    await new Promise<void>((resolve) => worker.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(worker.address() as AddressInfo).port}/upload`
  })
  after(() => {
    worker.closeAllConnections()
    worker.close()
  })
  beforeEach(() => {
    received.length = 0
    statuses = []
    isStuck = false
  })

  /** Uploads a file with a new token for each attempt. */
  function upload(signal = new AbortController().signal, uploadUrl = url) {
    let tickets = 0
    return sendUpload(
      new Blob(['bytes']),
      'image/png',
      async () => {
        const n = ++tickets
        return { uploadUrl, token: `token-${n}`, key: `key-${n}`, expiresAt: '2999-01-01T00:00:00Z' }
      },
      { signal, onSent: () => {} },
    )
  }

  test("an upload sends the file's bytes with the content type and the upload token, and returns the storage key of the file", async () => {
    assert.equal(await upload(), 'key-1')
    assert.deepEqual(received, [{ token: 'Bearer token-1', type: 'image/png', body: 'bytes' }])
  })

  for (const status of [401, 403])
    test(`an upload whose token has expired (${status}) is sent again once with a new token, and its key is returned`, async () => {
      statuses = [status]
      assert.equal(await upload(), 'key-2')
      assert.deepEqual(
        received.map(({ token }) => token),
        ['Bearer token-1', 'Bearer token-2'],
      )
    })

  test('an upload that is refused twice ends with an error, and is not sent a third time', async () => {
    statuses = [401, 401]
    await assert.rejects(upload(), { code: 'upstream_error', status: 401 })
    assert.equal(received.length, 2)
  })

  for (const status of [300, 413, 500])
    test(`an upload that the upload worker refuses with ${status} ends with an error and is not repeated`, async () => {
      statuses = [status]
      await assert.rejects(upload(), { code: 'upstream_error', status })
      assert.equal(received.length, 1)
    })

  test('a stopped upload ends with an `AbortError`, even when the upload worker never responds', async () => {
    isStuck = true
    const stop = new AbortController()
    const sending = upload(stop.signal)
    const ended = assert.rejects(sending, { name: 'AbortError' })
    while (received.length === 0) await new Promise((resolve) => setImmediate(resolve))
    stop.abort()
    await ended
  })

  test('an upload to an upload worker that cannot be reached ends with a connection error', async () => {
    await assert.rejects(upload(undefined, 'http://127.0.0.1:1/upload'), { code: 'connection' })
  })
})
