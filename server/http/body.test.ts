import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, test, type TestContext } from 'node:test'
import { openSource } from '../ingest/testing.ts'
import { listen, boundAddress } from '../process/listen.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { leaves } from '../testing/effects.ts'

const SENT_BYTES_MAX = 120_000_000
/** The maximum number of bytes that the buffers at both ends of a connection may hold while the server reads nothing. */
const BUFFERED_BYTES_MAX = 30_000_000

describe('the body of a request to a route that does not exist', () => {
  let world: TestApp
  let server: Server
  before(async () => {
    world = await testApp()
    const [first] = await listen(world.app.fetch, { hosts: ['127.0.0.1'], port: 0 })
    assert.ok(first)
    server = first
  })
  after(async () => {
    server.close()
    await world.close()
  })

  /** Sends the body until the server closes the connection. Returns the response and the number of bytes sent. */
  async function sendRaw(head: string, chunk: Buffer): Promise<{ answer: string; sentBytes: number }> {
    const socket = connect(boundAddress(server).port, '127.0.0.1')
    let answer = ''
    socket.on('data', (data: Buffer) => (answer += data.toString()))
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await once(socket, 'connect')
    socket.write(head)
    // Send the body only after the response has begun. The server must not read it.
    await once(socket, 'data')
    while (!socket.destroyed && socket.bytesWritten < SENT_BYTES_MAX) {
      if (!socket.write(chunk))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    }
    const sentBytes = socket.bytesWritten
    socket.destroy()
    return { answer, sentBytes }
  }

  const megabyte = Buffer.alloc(1_000_000, 'x')
  for (const method of ['POST', 'GET'])
    test(`a large ${method} body for an unknown route is not read`, async () => {
      const head = `${method} /api/v1/nothing HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${SENT_BYTES_MAX}\r\n\r\n`
      const { answer, sentBytes } = await sendRaw(head, megabyte)
      assert.match(answer, /^HTTP\/1\.1 404 [^]*"not_found"/)
      assert.ok(sentBytes < BUFFERED_BYTES_MAX, `${sentBytes} bytes were read`)
    })

  test('a body of unknown size for an unknown route is not read', async () => {
    const head = 'POST /api/v1/nothing HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n'
    const chunk = Buffer.concat([
      Buffer.from(`${megabyte.length.toString(16)}\r\n`),
      megabyte,
      Buffer.from('\r\n'),
    ])
    const { answer, sentBytes } = await sendRaw(head, chunk)
    assert.match(answer, /^HTTP\/1\.1 404 /)
    assert.ok(sentBytes < BUFFERED_BYTES_MAX, `${sentBytes} bytes were read`)
  })

  test('after a request to an unknown route with a small body, the connection can be used again', async () => {
    const answer = await fetch(`http://127.0.0.1:${boundAddress(server).port}/api/v1/nothing`, {
      method: 'POST',
      body: '{}',
    })
    assert.equal(answer.status, 404)
    assert.equal(answer.headers.get('connection'), 'keep-alive')
    await answer.body?.cancel()
  })
})

describe('the body of a request whose sender is not known yet', () => {
  let app: TestApp
  before(async () => {
    app = await testApp({
      billing: { key: 'sk_test', webhookSecret: 'whsec_test', prices: { starter: [], pro: [] } },
    })
  })
  after(() => app.close())

  /** Sends a body that begins and never ends, and lets the time pass that such a body may take. */
  async function sendUnfinished(t: TestContext, route: string): Promise<number> {
    const reading = Promise.withResolvers<void>()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from('{')),
      // Called when the first bytes have been taken, so that the service waits for more.
      pull: () => reading.resolve(),
    })
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const responding = app.request(route, {
      body,
      duplex: 'half',
      headers: { origin: app.config.baseUrl, 'content-type': 'application/json' },
    })
    await reading.promise
    t.mock.timers.tick(30_000)
    const { status } = await responding
    t.mock.timers.reset()
    return status
  }

  for (const route of [
    'POST /device/code',
    'POST /device/token',
    'POST /api/auth/sign-in/email',
    'POST /billing/webhook',
  ])
    test(`an unfinished body for ${route} is dropped after half a minute, so that such bodies cannot fill the memory`, async (t) => {
      assert.equal(await sendUnfinished(t, route), 503)
    })

  test('an unfinished post to an ingest source is dropped after half a minute, so that such posts cannot fill the memory', async (t) => {
    const source = await openSource(app, await app.signUp())
    assert.equal(await sendUnfinished(t, `POST /i/${source.id}`), 503)
    leaves({ events: { 'project.created': 1 }, activity: { 'ingest_source.created': 1 } })
  })

  test('a body of more than 16 KiB for a route that needs no account is refused', async () => {
    const { status, error } = await app.nobody.call('POST /device/token', {
      deviceCode: 'unknown',
      filling: 'x'.repeat(16 * 1024),
    })
    assert.deepEqual([status, error?.code], [400, 'invalid_request'])
    assert.match(error?.message ?? '', /^body: must be at most 16384 bytes/)
  })
})
