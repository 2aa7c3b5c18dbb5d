import { crc32 } from 'node:zlib'

const BASE62_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The API key of the seeded organization: well-formed, so that the service checks it like any other key. */
export const BENCH_KEY = withChecksum(`svk_${'bench'.padEnd(43, '0')}`)

function withChecksum(body: string): string {
  let checksum = ''
  for (let value = crc32(body), i = 0; i < 6; i++, value = Math.floor(value / 62))
    checksum = BASE62_ALPHABET[value % 62] + checksum
  return body + checksum
}

/** Returns the id of a seeded row. The id contains a sequence number instead of the time that real ids contain. */
export const seededId = (prefix: 'prj' | 'tkt' | 'ing', number: number): string =>
  `${prefix}_${String(number).padStart(26, '0')}`
