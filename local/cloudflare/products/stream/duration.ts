/** The path of the movie header in an MP4 file, which consists of nested boxes (ISO 14496-12). */
const HEADER_PATH = ['moov', 'mvhd']

/** First bytes of common video containers: WebM and Matroska, Ogg, MPEG. */
const FILE_SIGNATURES = ['1a45dfa3', '4f676753', '000001ba']
/**
 * Every packet of an MPEG transport stream has this length and begins with this byte. A GIF picture begins with the
 * same byte ("G"), so the first byte of the second packet is checked too.
 */
const TS_PACKET_BYTES = 188
const TS_SYNC = 0x47

/** Returns whether the bytes begin like a known video container format. Does not decode the content. */
export function isVideo(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 12))
  const text = head.toString('latin1')
  if (text.slice(4, 8) === 'ftyp') return true
  // Some sounds and pictures are also RIFF files, so check the inner type.
  if (text.startsWith('RIFF')) return text.endsWith('AVI ')
  if (bytes[0] === TS_SYNC) return bytes[TS_PACKET_BYTES] === TS_SYNC
  return FILE_SIGNATURES.some((beginning) => head.toString('hex').startsWith(beginning))
}

/** Returns the length in seconds; null for formats other than MP4. */
export function durationOf(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let [from, to] = [0, bytes.byteLength]
  for (const name of HEADER_PATH) {
    const box = findBox(view, name, from, to)
    if (box === null) return null
    ;[from, to] = [box.from, box.to]
  }
  // In version 1 of the header, times have 64 bits.
  const isLong = from < to && view.getUint8(from) === 1
  const at = from + (isLong ? 20 : 12)
  if (at + (isLong ? 12 : 8) > to) return null
  const scale = view.getUint32(at)
  const length = isLong ? Number(view.getBigUint64(at + 4)) : view.getUint32(at + 4)
  return scale === 0 ? null : length / scale
}

function findBox(
  view: DataView,
  name: string,
  from: number,
  to: number,
): { from: number; to: number } | null {
  let at = from
  while (at + 8 <= to) {
    const size = view.getUint32(at)
    const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)))
    const isLarge = size === 1 && at + 16 <= to
    const length = isLarge ? Number(view.getBigUint64(at + 8)) : size === 0 ? to - at : size
    // Stop at a box that is shorter than its header: otherwise the loop would never end.
    if (length < 8 || at + length > to) return null
    if (type === name) return { from: at + (isLarge ? 16 : 8), to: at + length }
    at += length
  }
  return null
}
