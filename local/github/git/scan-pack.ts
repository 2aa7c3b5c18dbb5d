import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'

/** Thrown for a pack that must not be stored. The person who pushes sees the message. */
export class PackError extends Error {}

const OBJECTS_MAX = 200_000
const OBJECT_BYTES_MAX = 64 * 1024 * 1024
const INFLATED_BYTES_MAX = 512 * 1024 * 1024
// git itself writes chains of at most 50 deltas. The time to read an object is proportional to the length of its chain.
const DELTA_DEPTH_MAX = 250
const OFS_DELTA = 6
const REF_DELTA = 7

/**
 * Validates a pack before it is unpacked: checksum, completeness, and bounded inflated size. Returns the number of
 * its objects. Throws a `PackError`.
 */
export function scanPack(pack: Buffer): number {
  if (pack.length < 32 || pack.toString('latin1', 0, 4) !== 'PACK' || pack.readUInt32BE(4) !== 2)
    throw new PackError('not a pack of version 2')
  const end = pack.length - 20
  const checksum = createHash('sha1').update(pack.subarray(0, end)).digest()
  if (!checksum.equals(pack.subarray(end))) throw new PackError('the checksum of the pack is wrong')
  const count = pack.readUInt32BE(8)
  if (count > OBJECTS_MAX) throw new PackError(`more than ${OBJECTS_MAX} objects`)
  const depths = new Map<number, number>()
  let inflated = 0
  let at = 12
  for (let i = 0; i < count; i++) {
    const entry = readEntry(pack, at, end)
    const depth = entry.base === null ? 0 : (depths.get(entry.base) ?? Infinity) + 1
    if (depth > DELTA_DEPTH_MAX) throw new PackError('a delta has no base in this pack, or too many')
    depths.set(at, depth)
    inflated += entry.bytes
    if (inflated > INFLATED_BYTES_MAX) throw new PackError('the pack inflates to too much')
    at = entry.end
  }
  if (at !== end) throw new PackError('there is something after the last object')
  return count
}

interface PackEntry {
  /** Offset of the object that this delta is based on; null for a whole object. */
  base: number | null
  /**
   * Bytes in memory: the inflated object; for a delta, the inflated delta plus the object that results from
   * it.
   */
  bytes: number
  end: number
}

function readEntry(pack: Buffer, start: number, end: number): PackEntry {
  let at = start
  const nextByte = () => {
    if (at >= end) throw new PackError('the pack is cut off')
    return pack[at++] ?? 0
  }
  let byte = nextByte()
  const type = (byte >> 4) & 7
  let size = byte & 15
  for (let factor = 16; byte & 128; factor *= 128) {
    byte = nextByte()
    size += (byte & 127) * factor
    requireSize(size)
  }
  if (type === 0 || type === 5) throw new PackError('an object of unknown type')
  // A delta of this type names its base by object id, and the base may be missing in the pack (a thin pack). Clients do
  // not send thin packs, because the server's capabilities contain `no-thin`.
  if (type === REF_DELTA) throw new PackError('a delta against an object by name')
  let base: number | null = null
  if (type === OFS_DELTA) {
    byte = nextByte()
    let distance = byte & 127
    while (byte & 128) {
      byte = nextByte()
      distance = (distance + 1) * 128 + (byte & 127)
      if (distance > pack.length) throw new PackError('a delta points out of the pack')
    }
    base = start - distance
  }
  const { data, consumed } = inflateObject(pack.subarray(at, end), size)
  const bytes = type === OFS_DELTA ? size + targetSize(data) : size
  return { base, bytes, end: at + consumed }
}

function inflateObject(input: Buffer, size: number): { data: Buffer; consumed: number } {
  try {
    const options = {
      info: true,
      maxOutputLength: Math.max(size, 1),
      chunkSize: Math.max(64, Math.min(size + 1, 65_536)),
    }
    const { buffer, engine } = inflateSync(input, options) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    if (buffer.length !== size) throw new PackError('an object is not as long as it says')
    return { data: buffer, consumed: engine.bytesWritten }
  } catch (error) {
    if (error instanceof PackError) throw error
    throw new PackError('an object cannot be inflated to what it says')
  }
}

/** Returns the second number in the header of a delta: the size of its result. */
function targetSize(delta: Buffer): number {
  let at = 0
  const readVarint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = delta[at++]
      if (byte === undefined) throw new PackError('a delta is cut off')
      value += (byte & 127) * factor
      requireSize(value)
      if (byte < 128) return value
    }
  }
  readVarint()
  return readVarint()
}

function requireSize(size: number): void {
  // A size with more than 146 continuation bytes is NaN, which is not larger than any limit.
  if (!(size <= OBJECT_BYTES_MAX)) throw new PackError('an object is larger than 64 MiB')
}
