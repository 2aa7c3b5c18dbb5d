import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface DnsServer {
  /** The address in the form that `SLIPWAY_DNS_SERVERS` takes. */
  address: string
  /** The TXT records by name. A record is a list of pieces. */
  records: Map<string, string[][]>
  close(): Promise<void>
}

const TYPE_TXT = 16

/** Starts a DNS server that has only TXT records (RFC 1035, section 4). */
export async function openDnsServer(): Promise<DnsServer> {
  const records = new Map<string, string[][]>()
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, end } = readName(query)
    const found = records.get(name)
    const answers = (found ?? []).map((pieces) => {
      const data = Buffer.concat(pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece)])))
      // The answer record: a pointer to the name in the question, type TXT, class IN, 60 seconds.
      return Buffer.concat([Buffer.from([0xc0, 12, 0, TYPE_TXT, 0, 1, 0, 0, 0, 60, 0, data.length]), data])
    })
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(found === undefined ? 0x8183 : 0x8180, 2)
    header.writeUInt16BE(answers.length, 6)
    header.fill(0, 8)
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

/** Returns the name in the question, and the position after the question. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}
