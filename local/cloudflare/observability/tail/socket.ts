import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { TailSessions } from './sessions.ts'

/** The server side of a WebSocket that only sends text (RFC 6455). */

const TRACE_PROTOCOL = 'trace-v1'
const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const TEXT_FRAME = 0x81
const CLOSE_FRAME = 0x88
const PONG_FRAME = 0x8a
const FRAME_OPCODES = { close: 8, ping: 9 }
// A client with this much unsent data is disconnected instead of filling the memory.
const UNSENT_BYTES_MAX = 8 * 1024 * 1024
// Client messages are not read; a frame larger than this is invalid.
const FRAME_BYTES_MAX = 64 * 1024

/** Connects a client to its session: `GET /cloudflare/tails/<key>` with the subprotocol `trace-v1`. */
export function upgradeTail(sessions: TailSessions, req: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  const key = /^\/cloudflare\/tails\/([\w-]+)$/.exec(req.url ?? '')?.[1]
  const session = key === undefined ? null : sessions.findByKey(key)
  const nonce = req.headers['sec-websocket-key']
  const protocols = (req.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  if (
    session === null ||
    session.send !== null ||
    nonce === undefined ||
    !protocols.includes(TRACE_PROTOCOL)
  ) {
    const status = session === null ? '404 Not Found' : '400 Bad Request'
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    return
  }
  const accept = createHash('sha1').update(`${nonce}${WEBSOCKET_GUID}`).digest('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: ${TRACE_PROTOCOL}\r\n\r\n`,
  )
  session.send = (text) => {
    if (socket.writableLength > UNSENT_BYTES_MAX) socket.destroy()
    else socket.write(encodeFrame(TEXT_FRAME, Buffer.from(text)))
  }
  session.end = () => socket.end(encodeFrame(CLOSE_FRAME, Buffer.alloc(0)))
  // The HTTP server of Node leaves the connection half open when the client ends it, for example because the client was killed.
  socket.once('end', () => socket.end())
  socket.once('close', () => sessions.remove(session.id))
  respondToFrames(socket)
}

function encodeFrame(head: number, payload: Buffer): Buffer {
  const { length } = payload
  if (length < 126) return Buffer.concat([Buffer.from([head, length]), payload])
  const prefix = Buffer.alloc(length < 65_536 ? 4 : 10)
  prefix[0] = head
  prefix[1] = length < 65_536 ? 126 : 127
  if (length < 65_536) prefix.writeUInt16BE(length, 2)
  else prefix.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([prefix, payload])
}

/** Responds to ping and close frames and ignores all others. */
function respondToFrames(socket: Duplex): void {
  let unread: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk])
    for (;;) {
      const found = readFrame(unread)
      if (found === 'too large') return void socket.destroy()
      if (found === null) return
      unread = unread.subarray(found.end)
      if (found.opcode === FRAME_OPCODES.ping) socket.write(encodeFrame(PONG_FRAME, found.payload))
      if (found.opcode === FRAME_OPCODES.close)
        return void socket.end(encodeFrame(CLOSE_FRAME, Buffer.alloc(0)))
    }
  })
}

function readFrame(bytes: Buffer): { opcode: number; payload: Buffer; end: number } | 'too large' | null {
  if (bytes.length < 2) return null
  const opcode = (bytes[0] ?? 0) & 0x0f
  const isMasked = ((bytes[1] ?? 0) & 0x80) !== 0
  const short = (bytes[1] ?? 0) & 0x7f
  if (short === 127) return 'too large'
  const lengthEnd = short === 126 ? 4 : 2
  if (bytes.length < lengthEnd) return null
  const length = short === 126 ? bytes.readUInt16BE(2) : short
  if (length > FRAME_BYTES_MAX) return 'too large'
  const start = lengthEnd + (isMasked ? 4 : 0)
  const end = start + length
  if (bytes.length < end) return null
  const payload = Buffer.from(bytes.subarray(start, end))
  const mask = bytes.subarray(lengthEnd, start)
  if (isMasked) for (const [index, byte] of payload.entries()) payload[index] = byte ^ (mask[index % 4] ?? 0)
  return { opcode, payload, end }
}
