import type * as z from 'zod'
import { type ApiError, invalid } from './errors.ts'

/** Checks input from outside; the message begins with the path of the first offending field. */
export function validate<T>(schema: z.ZodType<T>, input: unknown, whole: string): T {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw describeIssue(result.error.issues, whole)
}

function describeIssue(issues: z.core.$ZodIssue[], whole: string): ApiError {
  const issue = issues[0]
  if (issue === undefined) return invalid(whole, 'is not valid')
  return invalid(issue.path.length === 0 ? whole : issue.path.map(String).join('.'), issue.message)
}

/** Query parameters as one value each: a repeated one is a mistake, not a list. */
export function queryOf(url: URL): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [name, value] of url.searchParams) {
    if (Object.hasOwn(query, name)) throw invalid(name, 'must be given once')
    if (value.includes('\0')) throw invalid(name, 'must not contain a NUL character')
    query[name] = value
  }
  return query
}

/**
 * Refuses NUL (Postgres cannot store it) and mends lone surrogates in every text of a parsed body.
 * `source` is the raw JSON: both can only come in as escapes, so most bodies are never walked.
 */
export function cleanText(value: unknown, source: string): unknown {
  return /\\u0000|\\ud[89a-f]/i.test(source) ? clean(value, []) : value
}

function clean(value: unknown, path: (string | number)[]): unknown {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalid(path.join('.') || 'body', 'must not contain a NUL character')
    return value.toWellFormed()
  }
  if (Array.isArray(value)) return value.map((item, index) => clean(item, [...path, index]))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clean(item, [...path, key])]))
}
