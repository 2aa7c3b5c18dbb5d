import { invalid } from '../kernel/errors.ts'
import { type CollectionSpec, type FieldSpec, isRefList } from '../kernel/manifest.ts'

export const SYSTEM_FIELDS: readonly string[] = ['id', 'ownerId', 'rev', 'createdAt', 'updatedAt']

const TEXT_MAX = 10_000
const LIST_MAX = 100
const LIST_TEXT_MAX = 1000
const DATE_PATTERN = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** Returns why a value is not valid for this field, as the end of a sentence; null when it is valid. */
export function fieldProblem(field: FieldSpec, value: unknown): string | null {
  if (value === null || value === undefined || (field.required === true && isBlank(value))) {
    return field.required === true ? 'is required' : null
  }
  switch (field.type) {
    case 'text':
      return textProblem(value, field.max ?? TEXT_MAX)
    case 'number':
    case 'integer':
      return numberProblem(field, value)
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false'
    case 'date':
      return isDate(value) ? null : 'must be a date like 2026-11-20'
    case 'enum':
      return field.values?.includes(value as string) === true
        ? null
        : `must be one of ${(field.values ?? []).join(', ')}`
    case 'ref':
    case 'file':
      return isId(value) ? null : 'must be an id'
    case 'list':
      return invalidListReason(value, field.max ?? LIST_MAX, isRefList(field))
    case 'json':
      return null
  }
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''

function textProblem(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return 'must be text'
  if (value.length > max) return `must have at most ${max} characters`
  return value.includes('\u0000') ? 'must not contain a NUL character' : null
}

function numberProblem(field: FieldSpec, value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number'
  if (field.type === 'integer' && !Number.isSafeInteger(value)) return 'must be a whole number'
  return field.max !== undefined && value > field.max ? `must be at most ${field.max}` : null
}

function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || !DATE_PATTERN.test(value)) return false
  const day = new Date(`${value.slice(0, 10)}T00:00:00Z`)
  // `Date` accepts a day that does not exist and rolls it over: 2026-02-30 becomes 2 March.
  const isRealDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value.slice(0, 10))
  return isRealDay && !Number.isNaN(Date.parse(value))
}

const isId = (value: unknown): boolean => typeof value === 'string' && value.length <= 64

function invalidListReason(value: unknown, max: number, isOfIds: boolean): string | null {
  if (!Array.isArray(value)) return 'must be a list'
  if (value.length > max) return `must have at most ${max} entries`
  if (isOfIds) return value.every(isId) ? null : 'must hold ids'
  const isTexts = value.every((entry) => typeof entry === 'string' && entry.length <= LIST_TEXT_MAX)
  return isTexts ? null : `must hold texts of at most ${LIST_TEXT_MAX} characters`
}

/** Returns the amount in `{ increment: 2 }` for a number field; null for any other value. */
export function incrementIn({ type }: FieldSpec, value: unknown): number | null {
  const isCount = (type === 'number' || type === 'integer') && typeof value === 'object' && value !== null
  const amount = isCount ? (value as { increment?: unknown }).increment : null
  return typeof amount === 'number' && Number.isFinite(amount) && Object.keys(value as object).length === 1
    ? amount
    : null
}

/** Returns the new value of a field: `change` itself, or the sum when it is an increment. An unset number counts from 0. */
export function applyFieldChange(field: FieldSpec, current: unknown, change: unknown): unknown {
  const amount = incrementIn(field, change)
  return amount === null ? change : (typeof current === 'number' ? current : 0) + amount
}

/** Validates the fields of a new record and fills in defaults. Throws an error that names the invalid field. */
export function fieldsForCreate(name: string, collection: CollectionSpec, input: Record<string, unknown>) {
  refuseUnknown(name, collection, input)
  const stored: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(collection.fields)) {
    const value = Object.hasOwn(input, key)
      ? applyFieldChange(field, field.default, input[key])
      : field.default
    stored[key] = requireValid(key, field, value)
  }
  return stored
}

/**
 * Validates a change. Fields that are left out keep their value. Fields that are sent back unchanged keep it even if a newer release no
 * longer allows the value: a removed enum value, or a text longer than a new maximum.
 */
export function fieldsForUpdate(
  name: string,
  collection: CollectionSpec,
  stored: Record<string, unknown>,
  patch: Record<string, unknown>,
) {
  refuseUnknown(name, collection, patch)
  const next = { ...stored }
  for (const [key, field] of Object.entries(collection.fields)) {
    if (Object.hasOwn(patch, key) && !isSameValue(stored[key], patch[key]))
      next[key] = requireValid(key, field, applyFieldChange(field, stored[key], patch[key]))
  }
  return next
}

/** Compares two values as stored: an unset value is null. */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

function requireValid(key: string, field: FieldSpec, value: unknown): unknown {
  const problem = fieldProblem(field, value)
  if (problem !== null) throw invalid(key, problem)
  return value ?? null
}

function refuseUnknown(name: string, collection: CollectionSpec, input: Record<string, unknown>): void {
  for (const key of Object.keys(input)) {
    // System fields are ignored, so that a client may send a whole record back.
    if (Object.hasOwn(collection.fields, key) || SYSTEM_FIELDS.includes(key)) continue
    throw invalid(key, `is not a field of ${name}`)
  }
}
