import type { Context } from 'hono'
import type { ApiEnv } from './context.ts'
import { ApiFailure } from './failure.ts'

/** The operators of the filters for names, as in `name=contains:shop`. A filter without an operator must equal the name. */
const OPERATORS: Record<string, (name: string, wanted: string) => boolean> = {
  equal: (name, wanted) => name.toLowerCase() === wanted.toLowerCase(),
  not_equal: (name, wanted) => name.toLowerCase() !== wanted.toLowerCase(),
  starts_with: (name, wanted) => name.toLowerCase().startsWith(wanted.toLowerCase()),
  ends_with: (name, wanted) => name.toLowerCase().endsWith(wanted.toLowerCase()),
  contains: (name, wanted) => name.toLowerCase().includes(wanted.toLowerCase()),
  starts_with_case_sensitive: (name, wanted) => name.startsWith(wanted),
  ends_with_case_sensitive: (name, wanted) => name.endsWith(wanted),
  contains_case_sensitive: (name, wanted) => name.includes(wanted),
}

/** Returns whether a name matches a filter. Text before a colon that is not an operator is part of the name to compare. */
export function matchesName(name: string, filter: string): boolean {
  const [, operator = '', wanted = ''] = /^(\w+):(.*)$/s.exec(filter) ?? []
  const compare = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined
  return compare === undefined ? name.toLowerCase() === filter.toLowerCase() : compare(name, wanted)
}

/**
 * Sorts a list by the query parameters `order` and `direction`. `keys` are the values of an item, by the names that `order` may have.
 * Without `order` the list keeps its order, which `direction=desc` reverses. Throws for an unknown field or direction.
 */
export function sortList<T>(
  c: Context<ApiEnv>,
  items: T[],
  keys: Record<string, (item: T) => string | number>,
): T[] {
  const { order, direction = 'asc' } = c.req.query()
  if (direction !== 'asc' && direction !== 'desc')
    throw new ApiFailure(400, 10001, 'direction must be asc or desc')
  const keyOf = order !== undefined && Object.hasOwn(keys, order) ? keys[order] : undefined
  if (order !== undefined && keyOf === undefined)
    throw new ApiFailure(400, 10001, `order must be one of ${Object.keys(keys).join(', ')}`)
  const sorted =
    keyOf === undefined ? items : items.toSorted((one, other) => compareKeys(keyOf(one), keyOf(other)))
  return direction === 'asc' ? sorted : sorted.toReversed()
}

const compareKeys = (one: string | number, other: string | number): number =>
  one === other ? 0 : one < other ? -1 : 1
