import { invalid } from './errors.ts'

/** The fields of an object whose values have not been validated. */
export type UnvalidatedFields = Record<string, unknown>

export const isFields = (value: unknown): value is UnvalidatedFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the fields of an object or the entries of a list; an empty object for any other value. */
export const fieldsOf = (value: unknown): UnvalidatedFields =>
  typeof value === 'object' && value !== null ? (value as UnvalidatedFields) : {}

/** Reads a count that a provider sent. Returns 0 for a value that is not a number. */
export const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

export const utf8Length = (text: string): number => new TextEncoder().encode(text).length

export const isWholeNumber = (value: unknown, least: number, most: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most

/** Throws an error that names the field unless the value is a whole number from 1 to `most`. */
export function requireWholeNumber(field: string, value: unknown, most: number): number {
  if (isWholeNumber(value, 1, most)) return value
  throw invalid(field, `must be a whole number from 1 to ${most}`)
}

/** Throws an error that names the field unless the value is a string of 1 to `charsMax` characters. */
export function requireShortText(field: string, value: unknown, charsMax: number): string {
  if (typeof value === 'string' && value !== '' && value.length <= charsMax) return value
  throw invalid(field, `must have 1 to ${charsMax} characters`)
}
