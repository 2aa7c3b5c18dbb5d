import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { Telemetry } from '../telemetry/telemetry.ts'
import { TailSessions } from './sessions.ts'
import { upgradeTail } from './socket.ts'

// The example of RFC 6455, section 1.3.
const NONCE = 'dGhlIHNhbXBsZSBub25jZQ=='
const ACCEPT = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo='
const HEADERS = { 'Sec-WebSocket-Key': NONCE, 'Sec-WebSocket-Protocol': 'other, trace-v1' }
const CLOSE = Buffer.from([0x88, 0])

describe('the WebSocket of a tail session', () => {
  let server: Server
  let telemetry: Telemetry
  let sessions: TailSessions
  let clients: Socket[]
  let serverSockets: Socket[]
  beforeEach(async () => {
    telemetry = new Telemetry(':memory:')
    sessions = new TailSessions(telemetry)
    clients = []
    serverSockets = []
    server = createServer().on('upgrade', (req, socket) => {
      serverSockets.push(socket as Socket)
      upgradeTail(sessions, req, socket)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterEach(() => {
    for (const socket of [...clients, ...serverSockets]) socket.destroy()
    server.close()
    telemetry.close()
  })

  const createSession = () => sessions.create({ accountId: 'acme', script: 'shop', filters: [] })
  const report = (text: string) =>
    sessions.receive('acme', [
      {
        script: 'shop',
        isObserved: false,
        item: {
          outcome: 'ok',
          truncated: false,
          executionModel: 'stateless',
          eventTimestamp: 1,
          event: null,
          logs: [{ message: [text], level: 'log', timestamp: 1 }],
          exceptions: [],
        },
      },
    ])
  /**
   * Returns a function that reads until `isEnough` returns a length above 0, and returns that many bytes. At the end of the stream, it
   * returns the remaining bytes.
   */
  const readerOf = (socket: Socket) => {
    const source = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    let rest = Buffer.alloc(0)
    return async (isEnough: (bytes: Buffer) => number) => {
      for (;;) {
        const length = isEnough(rest)
        if (length > 0) {
          const found = rest.subarray(0, length)
          rest = rest.subarray(length)
          return found
        }
        const { done, value } = await source.next()
        if (done === true) return rest
        rest = Buffer.concat([rest, value])
      }
    }
  }
  const headEnd = (bytes: Buffer) => bytes.indexOf('\r\n\r\n') + 4
  /** Requests a WebSocket at `path`. Returns the lines of the response head, the socket, and functions that read what follows. */
  const connectTo = async (path: string, headers: Record<string, string> = HEADERS) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    clients.push(socket.on('error', () => {}))
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${lines.join('')}\r\n`,
    )
    const read = readerOf(socket)
    const head = (await read((bytes) => (bytes.includes('\r\n\r\n') ? headEnd(bytes) : 0))).toString()
    return {
      socket,
      head: head.trimEnd().split('\r\n'),
      read: (length: number) => read((bytes) => (bytes.length >= length ? length : 0)),
      rest: () => read(() => 0),
    }
  }
  const openTail = () => {
    const session = createSession()
    return connectTo(`/cloudflare/tails/${session.key}`)
  }
  const masked = (opcode: number, payload: Buffer, length = payload.length) => {
    const mask = Buffer.from([1, 2, 3, 4])
    const size = length < 126 ? [length | 0x80] : [126 | 0x80, length >> 8, length & 0xff]
    const body = payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))
    return Buffer.concat([Buffer.from([0x80 | opcode, ...size]), mask, body])
  }

  test('the WebSocket handshake of a tail session returns the protocol trace-v1, and a second client is refused', async () => {
    const session = createSession()
    const path = `/cloudflare/tails/${session.key}`
    const first = await connectTo(path)
    assert.deepEqual(first.head, [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${ACCEPT}`,
      'Sec-WebSocket-Protocol: trace-v1',
    ])
    assert.equal((await connectTo(path)).head[0], 'HTTP/1.1 400 Bad Request')
    report('hello')
    const [opcode, length = 0] = await first.read(2)
    assert.deepEqual([opcode, length], [0x81, 126])
  })

  test('a WebSocket handshake with an unknown tail session, no key or another protocol is refused and ends no session', async () => {
    const session = createSession()
    const path = `/cloudflare/tails/${session.key}`
    const refused = [
      await connectTo('/cloudflare/tails/none'),
      await connectTo(`${path}/x`),
      await connectTo('/'),
      await connectTo(path, { 'Sec-WebSocket-Protocol': 'trace-v1' }),
      await connectTo(path, { 'Sec-WebSocket-Key': NONCE }),
      await connectTo(path, { ...HEADERS, 'Sec-WebSocket-Protocol': 'trace-v2' }),
    ].map(({ head }) => head[0])
    const [notFound, bad] = ['HTTP/1.1 404 Not Found', 'HTTP/1.1 400 Bad Request']
    assert.deepEqual(refused, [notFound, notFound, notFound, bad, bad, bad])
    assert.equal((await connectTo(path)).head[0], 'HTTP/1.1 101 Switching Protocols')
  })

  test('a tail message is sent as one WebSocket text frame, with its length in 7, 16 or 64 bits', async () => {
    const session = createSession()
    const { read } = await connectTo(`/cloudflare/tails/${session.key}`)
    for (const [size, head] of [
      [0, [0x81, 0]],
      [125, [0x81, 125]],
      [126, [0x81, 126, 0, 126]],
      [65_535, [0x81, 126, 255, 255]],
      [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
    ] as const) {
      session.send?.('x'.repeat(size))
      const frame = await read(head.length + size)
      assert.deepEqual([...frame.subarray(0, head.length)], head)
      assert.equal(frame.subarray(head.length).toString(), 'x'.repeat(size))
    }
  })

  test('a tail WebSocket returns a pong with the payload of each ping, even when the ping arrives in pieces', async () => {
    const { socket, read } = await openTail()
    const long = Buffer.alloc(300, 'y')
    const bytes = Buffer.concat([
      masked(1, Buffer.from('ignored')),
      masked(9, Buffer.from('hi')),
      masked(9, long),
    ])
    const cuts = [0, 3, 10, 25]
    for (const [at, start] of cuts.entries()) socket.write(bytes.subarray(start, cuts[at + 1]))
    assert.deepEqual(await read(4), Buffer.from([0x8a, 2, ...Buffer.from('hi')]))
    assert.deepEqual(await read(304), Buffer.concat([Buffer.from([0x8a, 126, 1, 44]), long]))
  })

  test('a WebSocket frame that declares more than 64 kB ends the tail connection before its payload arrives', async () => {
    const { socket, rest } = await openTail()
    socket.write(Buffer.from([0x81, 0xff]))
    assert.deepEqual((await rest()).length, 0)
  })

  test('a close frame of the client is returned and ends the tail session', async () => {
    const { socket, rest } = await openTail()
    socket.write(masked(8, Buffer.alloc(0)))
    assert.deepEqual(await rest(), CLOSE)
    socket.end()
    await once(serverSockets[0] as Socket, 'close')
    assert.deepEqual(sessions.listening('acme'), [])
  })

  test('the client of a tail session receives a close frame when the session is removed', async () => {
    const session = createSession()
    const { rest } = await connectTo(`/cloudflare/tails/${session.key}`)
    sessions.remove(session.id)
    assert.deepEqual(await rest(), CLOSE)
  })

  test('a tail session ends when its client disconnects without a close frame', async () => {
    const { socket } = await openTail()
    assert.deepEqual(sessions.listening('acme'), ['shop'])
    socket.end()
    await once(serverSockets[0] as Socket, 'close')
    assert.deepEqual(sessions.listening('acme'), [])
  })
})
