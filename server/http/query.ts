import * as z from 'zod'
import { invalid } from './errors.ts'

/** A `limit` parameter: out of range or not a number is refused, never clamped (spec, Query parameters). */
export const limitParam = (max: number) => wholeNumberParam(1, max)

/** A whole number in a query string, in plain digits. */
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

/** A place in a newest-first list: the time of its last row and that row's id. */
export interface Cursor {
  at: Date
  id: string
}

export const encodeCursor = (cursor: Cursor): string => `${cursor.at.getTime()}:${cursor.id}`

/** Reads a cursor back; anything this service did not hand out for this kind of row is 400 naming `cursor`. */
export function decodeCursor(text: string, prefix: string): Cursor {
  const match = /^(\d{1,15}):([a-z]{3}_[0-9a-z]{26})$/.exec(text)
  const at = new Date(Number(match?.[1]))
  if (match?.[2] === undefined || !match[2].startsWith(`${prefix}_`) || Number.isNaN(at.getTime()))
    throw invalid('cursor', 'is not a cursor of this list')
  return { at, id: match[2] }
}
