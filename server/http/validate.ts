import type * as z from 'zod'
import { isTooDeep } from '@slipway/runtime/kernel/depth.ts'
import { issueProblem } from '../lib/issue-problem.ts'
import { type ApiError, invalid } from './errors.ts'

/** Parses input with a schema. Throws a 400 whose message begins with the path of the first wrong field. */
export function validate<T>(schema: z.ZodType<T>, input: unknown, whole: string): T {
  const result = schema.safeParse(input, { error: issueProblem })
  if (result.success) return result.data
  throw describeIssue(result.error.issues, whole)
}

function describeIssue(issues: z.core.$ZodIssue[], whole: string): ApiError {
  const issue = issues[0]
  if (issue === undefined) return invalid(whole, 'is not valid')
  return invalid(fieldName(issue.path, whole), issue.message)
}

/**
 * Returns the path of a field for a message. The path ends before the first part that is not a plain word, because the
 * caller chose that part.
 */
function fieldName(path: PropertyKey[], whole: string): string {
  const made = path.findIndex((part) => !/^[\w-]{1,64}$/.test(String(part)))
  return (made === -1 ? path : path.slice(0, made)).map(String).join('.') || whole
}

/** Returns the declared query parameters and ignores all others. Throws when one is repeated. */
export function declaredQuery(url: URL, schema: z.ZodType): Record<string, string> {
  const declared = (schema as { shape?: object }).shape ?? {}
  const query: Record<string, string> = {}
  for (const [name, value] of url.searchParams) {
    if (!Object.hasOwn(declared, name)) continue
    if (Object.hasOwn(query, name)) throw invalid(name, 'must be given once')
    if (value.includes('\0')) throw invalid(name, NO_NUL)
    query[name] = value
  }
  return query
}

const NO_NUL = 'must not contain a NUL character'
/**
 * Throws for a body that is nested too deeply or contains NUL, which Postgres cannot store. Replaces lone surrogates
 * in all strings of the body. JSON can contain NUL and lone surrogates only as escapes, so a body whose JSON
 * (`source`) has no such escape is returned without a copy.
 */
export function cleanBody<T>(value: T, source: string): T {
  requireShallow(value)
  return /\\u0000|\\ud[89a-f]/i.test(source) ? (cleanValue(value, []) as T) : value
}

/** Throws when a field of a body is nested too deeply: recursive code would exhaust the stack. */
export function requireShallow(body: unknown): void {
  if (typeof body !== 'object' || body === null) return
  for (const [name, value] of Object.entries(body))
    if (isTooDeep(value)) throw invalid(fieldName([name], 'body'), 'is nested too deeply')
}

function cleanValue(value: unknown, path: PropertyKey[]): unknown {
  if (typeof value === 'string') return cleanString(value, path)
  if (Array.isArray(value)) return value.map((item, index) => cleanValue(item, [...path, index]))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [cleanString(name, path), cleanValue(item, [...path, name])]),
  )
}

function cleanString(text: string, path: PropertyKey[]): string {
  if (text.includes('\0')) throw invalid(fieldName(path, 'body'), NO_NUL)
  return text.toWellFormed()
}
