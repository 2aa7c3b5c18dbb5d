import type * as z from 'zod'

type ZodIssue = Parameters<z.core.$ZodErrorMap>[0]

const TYPE_PROBLEMS: Record<string, string> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
  null: 'must be null',
}

const FORMAT_PROBLEMS: Record<string, string> = {
  datetime: 'must be a date and time in ISO 8601, like 2026-11-20T18:00:00Z',
  url: 'must be an address like https://example.com',
  email: 'must be an email address',
}

const LENGTH_UNITS: Record<string, string> = { string: 'character', array: 'item' }

/**
 * Returns what is wrong with a value, in words that follow the field's name. Returns undefined to keep the
 * message of the schema library.
 */
export function issueProblem(issue: ZodIssue): string | undefined {
  if (issue.input === undefined && issue.code !== 'custom') return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_PROBLEMS[issue.expected]
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return `must ${issue.origin in LENGTH_UNITS ? 'have' : 'be'} ${issue.inclusive === false ? 'less than' : 'at most'} ${countWithUnit(issue.maximum, issue.origin)}`
    case 'invalid_format':
      return FORMAT_PROBLEMS[issue.format] ?? 'does not have the right form'
    case 'invalid_union':
      return 'does not have any of the accepted forms'
    default:
      return undefined
  }
}

function tooSmall({ origin, minimum, inclusive }: Extract<ZodIssue, { code: 'too_small' }>): string {
  if (origin in LENGTH_UNITS && minimum === 1) return 'must not be empty'
  const bound = inclusive === false ? 'more than' : 'at least'
  return `must ${origin in LENGTH_UNITS ? 'have' : 'be'} ${bound} ${countWithUnit(minimum, origin)}`
}

function countWithUnit(bound: number | bigint, origin: string): string {
  const unit = LENGTH_UNITS[origin]
  if (unit === undefined) return String(bound)
  return `${bound} ${unit}${Number(bound) === 1 ? '' : 's'}`
}
