import * as z from 'zod'
import { invalidParameterError, StripeFailure } from '../context.ts'
import type { FormValue } from './form.ts'

/** All parameters arrive as strings, so these schemas convert them. */

export const Text = z.string().min(1).max(5000)
export const Int = z
  .string()
  .regex(/^-?\d{1,12}$/, 'Invalid integer')
  .transform(Number)
const intBetween = (min: number, max: number) =>
  Int.refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`)
export const Quantity = intBetween(1, 999_999)
export const TrialDays = intBetween(1, 730)
export const Email = Text.regex(/^[^\s@]+@[^\s@]+$/, 'Invalid email address')
export const Flag = z.enum(['true', 'false']).transform((text) => text === 'true')
const METADATA_KEYS_MAX = 50
const isMetadata = (metadata: object) => Object.keys(metadata).length <= METADATA_KEYS_MAX
const TOO_MANY_KEYS = `You cannot have more than ${METADATA_KEYS_MAX} metadata keys`
/** Metadata; null for an empty string, which removes all keys. The form decoder returns a list for the keys 0, 1 and so on. */
export const MetadataIn = z.preprocess(
  (given) => (given === '' ? null : Array.isArray(given) ? Object.fromEntries(Object.entries(given)) : given),
  z.record(z.string().max(40), z.string().max(500)).refine(isMetadata, TOO_MANY_KEYS).nullable(),
)
/** Metadata of a new object: a key with an empty value is not stored. */
export const NewMetadata = MetadataIn.transform((given) => mergeMetadata({}, given))
export const Currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, 'Invalid currency')
  .transform((text) => text.toLowerCase())
export const Url = z.url({ protocol: /^https?$/ })
/** A text field that can be cleared: an empty string becomes null. */
export const ClearableText = z
  .string()
  .max(5000)
  .transform((text) => (text === '' ? null : text))
const Range = z.union([
  Int.transform((at) => ({ gte: at, lte: at })),
  z.strictObject({ gt: Int.optional(), gte: Int.optional(), lt: Int.optional(), lte: Int.optional() }),
])
export const CreatedRange = Range.optional()

/** Returns whether a time is within the range of a query. */
export function isWithin(at: number, range: z.output<typeof CreatedRange>): boolean {
  if (range === undefined) return true
  const { gt, gte, lt, lte } = { gt: undefined, lt: undefined, ...range }
  const isLate = (gt === undefined || at > gt) && (gte === undefined || at >= gte)
  return isLate && (lt === undefined || at < lt) && (lte === undefined || at <= lte)
}

/** Returns the new value of a field, or the old value when the call does not contain the field. */
export const valueOrPrevious = <T>(given: T | undefined, old: T): T => (given === undefined ? old : given)

/** Merges metadata: an empty string removes a key, and null removes all keys. Throws the provider's error for too many keys. */
export function mergeMetadata(
  old: Record<string, string>,
  given: Record<string, string> | null | undefined,
): Record<string, string> {
  if (given === null) return {}
  const kept = Object.entries({ ...old, ...given }).filter(([, value]) => value !== '')
  const merged = Object.fromEntries(kept)
  if (!isMetadata(merged)) throw invalidParameterError(TOO_MANY_KEYS, 'metadata')
  return merged
}

/** Parses parameters. Throws the provider's error for a missing, unknown or invalid parameter. */
export function parseParams<P extends z.ZodType>(
  schema: P,
  given: { [name: string]: FormValue },
): z.output<P> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const issue = firstIssue(parsed.error.issues)
  const path = [...issue.path, ...(issue.code === 'unrecognized_keys' ? [issue.keys[0] ?? ''] : [])]
  const param = path.map((part, at) => (at === 0 ? String(part) : `[${String(part)}]`)).join('')
  if (issue.code === 'unrecognized_keys')
    throw new StripeFailure(400, `Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  if (issue.code === 'invalid_type' && issue.input === undefined && !hasPath(given, issue.path))
    throw new StripeFailure(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param })
  throw invalidParameterError(`Invalid ${param}: ${issue.message}`, param)
}

type ParamIssue = z.core.$ZodIssue

/** Returns the first of several errors: Stripe reports one parameter at a time. */
function firstIssue([issue]: ParamIssue[]): ParamIssue {
  if (issue === undefined) throw new Error('a refused form has an issue')
  return issue
}

function hasPath(given: unknown, [name, ...rest]: PropertyKey[]): boolean {
  if (name === undefined) return given !== undefined
  return typeof given === 'object' && given !== null && hasPath(Reflect.get(given, name), rest)
}
