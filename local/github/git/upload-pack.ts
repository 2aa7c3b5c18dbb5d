import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { ObjectReader, type ParsedObject, TooManyObjectsError } from './objects.ts'
import { SIDEBAND_BYTES_MAX, sidebandLine, FLUSH_PACKET, lineText, pktLine, pktReader } from './pkt-line.ts'
import { readRefs } from './refs.ts'

export const UPLOAD_CAPABILITIES =
  'multi_ack_detailed side-band-64k ofs-delta object-format=sha1 agent=slipway-local'

const TYPE_NUMBERS: Record<ParsedObject['type'], number> = { commit: 1, tree: 2, blob: 3, tag: 4 }

interface FetchRequest {
  wants: string[]
  haves: string[]
  isDone: boolean
  capabilities: Set<string>
}

/** Acknowledges shared commits while the client negotiates, then sends the pack. */
export async function uploadPack(
  gitdir: string,
  body: Buffer,
  objectsMax?: number,
): Promise<ReadableStream<Uint8Array>> {
  const request = readRequest(body)
  const reader = new ObjectReader(gitdir, objectsMax)
  const tips = new Set(readRefs(gitdir).values())
  for (const oid of request.wants) {
    // Also accept ancestors: a push may have moved the ref since the client read it (gitprotocol-http).
    if (!tips.has(oid) && !(await reader.isAncestor(oid, tips)))
      return toStream([pktLine(`ERR upload-pack: not our ref ${oid}`)])
  }
  if (request.wants.length === 0) return toStream([])
  const common: string[] = []
  for (const oid of request.haves) if (await reader.has(oid)) common.push(oid)
  const isDetailed = request.capabilities.has('multi_ack_detailed')
  const nak = pktLine('NAK\n')
  if (!request.isDone) {
    const lines = isDetailed ? common.map((oid) => pktLine(`ACK ${oid} common\n`)) : []
    const [first] = common
    return toStream(isDetailed || first === undefined ? [...lines, nak] : [pktLine(`ACK ${first}\n`)])
  }
  const oids = await missingObjects(reader, request.wants, common)
  if (oids instanceof TooManyObjectsError) return toStream([pktLine(`ERR upload-pack: ${oids.message}`)])
  const last = common.at(-1)
  const acknowledgement = last === undefined ? nak : pktLine(`ACK ${last}\n`)
  const isBanded = request.capabilities.has('side-band-64k')
  return ReadableStream.from(responseParts(acknowledgement, packOf(reader, oids), isBanded))
}

/** Returns the ids of the objects that can be reached from `wants` but not from `common`. */
async function missingObjects(
  reader: ObjectReader,
  wants: string[],
  common: string[],
): Promise<string[] | TooManyObjectsError> {
  try {
    return [...(await reader.reachableObjects(wants, await reader.reachableObjects(common)))]
  } catch (error) {
    if (error instanceof TooManyObjectsError) return error
    throw error
  }
}

function readRequest(body: Buffer): FetchRequest {
  const reader = pktReader(body)
  const request: FetchRequest = { wants: [], haves: [], isDone: false, capabilities: new Set() }
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    if (line === null) continue
    const text = lineText(line)
    const [verb, oid = '', ...more] = text.split(' ')
    if (verb === 'want') {
      if (request.wants.length === 0) request.capabilities = new Set(more)
      request.wants.push(oid)
    } else if (verb === 'have') {
      if (/^[0-9a-f]{40}$/.test(oid)) request.haves.push(oid)
    } else if (text === 'done') request.isDone = true
  }
  return request
}

async function* responseParts(
  acknowledgement: Buffer,
  pack: AsyncIterable<Buffer>,
  isBanded: boolean,
): AsyncGenerator<Uint8Array> {
  yield acknowledgement
  for await (const part of pack) {
    if (!isBanded) yield part
    else {
      for (let at = 0; at < part.length; at += SIDEBAND_BYTES_MAX)
        yield sidebandLine(1, part.subarray(at, at + SIDEBAND_BYTES_MAX))
    }
  }
  if (isBanded) yield FLUSH_PACKET
}

/** Sends whole objects. Deltas would only save bytes on the loopback interface. */
async function* packOf(reader: ObjectReader, oids: readonly string[]): AsyncGenerator<Buffer> {
  const checksum = createHash('sha1')
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  header.writeUInt32BE(oids.length, 8)
  checksum.update(header)
  yield header
  for (const oid of oids) {
    const { type, data } = await reader.readBytes(oid)
    const entry = Buffer.concat([entryHeader(TYPE_NUMBERS[type], data.length), deflateSync(data)])
    checksum.update(entry)
    yield entry
  }
  yield checksum.digest()
}

function entryHeader(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 128
    bytes.push(rest & 127)
  }
  return Buffer.from(bytes)
}

const toStream = (parts: Buffer[]): ReadableStream<Uint8Array> => ReadableStream.from(parts)
