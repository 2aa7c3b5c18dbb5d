/** Framing of git's protocol: four hex digits of length, then the payload; `0000` is a flush. */

export const FLUSH_PACKET = Buffer.from('0000')

/** The maximum payload of a side-band packet: 65,520 bytes (gitprotocol-common) minus four bytes for the length and one for the band. */
export const SIDEBAND_BYTES_MAX = 65_515

/** The length counts its own four digits. */
export function pktLine(payload: string | Uint8Array): Buffer {
  const data = Buffer.from(payload as string)
  return Buffer.concat([Buffer.from((data.length + 4).toString(16).padStart(4, '0')), data])
}

/** Returns one side-band packet: band 1 is data, 2 is progress. */
export const sidebandLine = (band: 1 | 2, data: Uint8Array): Buffer =>
  pktLine(Buffer.concat([Buffer.from([band]), data]))

export class PktError extends Error {}

/**
 * Reads lines from a body. `next()` returns the next payload, null for a flush, undefined at the end; `rest()`
 * returns the bytes after the lines read so far.
 */
export function pktReader(body: Buffer): { next(): Buffer | null | undefined; rest(): Buffer } {
  let at = 0
  return {
    next: () => {
      if (at >= body.length) return undefined
      const digits = body.toString('latin1', at, at + 4)
      if (!/^[0-9a-f]{4}$/i.test(digits)) throw new PktError('a line has no length')
      const length = Number.parseInt(digits, 16)
      if (length === 0) {
        at += 4
        return null
      }
      if (length < 4 || at + length > body.length) throw new PktError('a line is cut off')
      const payload = body.subarray(at + 4, at + length)
      at += length
      return payload
    },
    rest: () => body.subarray(at),
  }
}

/** Removes the optional line break. */
export const lineText = (payload: Buffer): string => payload.toString('utf8').replace(/\n$/, '')
