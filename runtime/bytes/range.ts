import type { R2Range } from './bucket.ts'

/** Parses a `Range` header. Returns null without a header, for several ranges and for units other than bytes. */
export function parseRange(header: string | null): R2Range | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '') return last === '' ? null : { suffix: Number(last) }
  if (last === '') return { offset: Number(first) }
  const length = Number(last) - Number(first) + 1
  return length > 0 ? { offset: Number(first), length } : null
}

/** Returns the part of an object that a range selects, for `Content-Range`; null when the range is outside the object. */
export function resolveRange(range: R2Range, sizeBytes: number): { offset: number; length: number } | null {
  if ('suffix' in range) {
    const length = Math.min(range.suffix, sizeBytes)
    return length === 0 ? null : { offset: sizeBytes - length, length }
  }
  const length = Math.min(range.length ?? Infinity, sizeBytes - range.offset)
  return length <= 0 ? null : { offset: range.offset, length }
}
