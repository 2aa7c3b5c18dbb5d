import type { R2Range } from './bucket.ts'

/** What a `Range` header asks for; null for none, for several at once and for what is no range of bytes. */
export function parseRange(header: string | null): R2Range | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '') return last === '' ? null : { suffix: Number(last) }
  if (last === '') return { offset: Number(first) }
  const length = Number(last) - Number(first) + 1
  return length > 0 ? { offset: Number(first), length } : null
}

/** The part of an object that a range covers, as `Content-Range` counts; null when it covers nothing of it. */
export function partOf(range: R2Range, sizeBytes: number): { offset: number; length: number } | null {
  if ('suffix' in range) {
    const length = Math.min(range.suffix, sizeBytes)
    return length === 0 ? null : { offset: sizeBytes - length, length }
  }
  const length = Math.min(range.length ?? Infinity, sizeBytes - range.offset)
  return length <= 0 ? null : { offset: range.offset, length }
}
