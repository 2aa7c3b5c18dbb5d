import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, test } from 'node:test'
import { closeUnreadResponses } from './unread-responses.ts'

const UNREAD_MS_MAX = 100
/** More than the buffers of a connection on this machine hold. */
const LARGE = Buffer.alloc(30_000_000)

describe('responses that a client does not read', () => {
  let server: Server
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  async function connectTo(respond: RequestListener): Promise<Socket> {
    server = createServer(respond)
    closeUnreadResponses(server, UNREAD_MS_MAX)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nhost: a.test\r\n\r\n')
    return socket
  }

  test('a connection whose client reads nothing of a large response is closed, so that the response leaves the memory', async () => {
    const closed = Promise.withResolvers<void>()
    await connectTo((_request, response) => {
      response.once('close', () => closed.resolve())
      response.end(LARGE)
    })
    // Without the limit the response stays open until the test times out.
    await closed.promise
  })

  test('a response that starts later than the time limit for reading arrives whole', async () => {
    const socket = await connectTo((_request, response) => {
      setTimeout(() => response.end('late'), 4 * UNREAD_MS_MAX)
    })
    const [data] = (await once(socket, 'data')) as [Buffer]
    assert.match(data.toString(), /late/)
  })

  test('a request that waits for its response stays open when an earlier request of its connection ends', async () => {
    const socket = await connectTo(({ url }, response) => {
      setTimeout(() => response.end(`response of ${url}`), url === '/late' ? 4 * UNREAD_MS_MAX : 0)
    })
    socket.write('GET /late HTTP/1.1\r\nhost: a.test\r\n\r\n')
    let received = ''
    for await (const data of socket) {
      received += String(data)
      if (received.includes('response of /late')) break
    }
    assert.match(received, /response of \/late/)
  })

  test('a connection is closed when its client sends no further request', async () => {
    const socket = await connectTo((_request, response) => response.end('done'))
    server.keepAliveTimeout = 1
    socket.resume()
    await once(socket, 'close')
  })
})
