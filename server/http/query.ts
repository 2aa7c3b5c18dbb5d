import * as z from 'zod'
import { invalid } from './errors.ts'

/** A `limit` parameter. A value that is out of range or not a number gets a 400 and is never clamped (docs/limits.md#page-sizes). */
export const limitParam = (max: number) => wholeNumberParam(1, max)

/** Accepts decimal digits only: `1e3`, `0x10` and blanks get a 400. */
export function wholeNumberParam(min: number, max: number) {
  const problem = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,10}$/, problem)
    .transform(Number)
    .refine((value) => value >= min && value <= max, problem)
    .meta({ wire: { type: 'integer', minimum: min, maximum: max } })
}

export const cursorParam = z.string().max(200).describe('The nextCursor of the page before, unchanged.')

/**
 * A position in a list that is sorted newest first: time and id of the last row sent. The id distinguishes
 * rows of the same moment.
 */
export interface Cursor {
  at: Date
  id: string
}

export const encodeCursor = (cursor: Cursor): string => `${cursor.at.getTime()}:${cursor.id}`

/** Parses a cursor. Throws a 400 naming `cursor` for text that this service did not issue for this kind of row. */
export function decodeCursor(text: string, prefix: string): Cursor {
  const match = /^(\d{1,15}):([a-z]{3}_[0-9a-z]{26})$/.exec(text)
  const at = new Date(Number(match?.[1]))
  if (match?.[2] === undefined || !match[2].startsWith(`${prefix}_`) || Number.isNaN(at.getTime()))
    throw invalid('cursor', 'is not a cursor of this list')
  return { at, id: match[2] }
}
