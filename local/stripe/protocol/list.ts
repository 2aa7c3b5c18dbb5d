import { invalidParameterError } from '../context.ts'
import { listObjects } from '../objects.ts'
import type { ObjectKind, Objects } from '../types.ts'
import type { StripeCall } from './operation.ts'
import { Int, Text } from './params.ts'

const DEFAULT_LIMIT = 10
const PAGE_LIMIT_MAX = 100

/** The parameters of every list. */
export const Paging = {
  limit: Int.optional(),
  starting_after: Text.optional(),
  ending_before: Text.optional(),
}

interface PagingParams {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
}

/** Returns a page of a list, newest first, as at the provider. */
export function listPage<K extends ObjectKind>(
  { stripe, account, params }: Pick<StripeCall<PagingParams>, 'stripe' | 'account' | 'params'>,
  kind: K,
  url: string,
  isWanted: (object: Objects[K]) => boolean = () => true,
): object {
  return pageOf(listObjects(stripe, account, kind), { kind, url, params, isWanted })
}

interface PageOptions<Item> {
  kind: string
  url: string
  params: PagingParams
  isWanted?: (item: Item) => boolean
}

/** Returns a page of these items, in their order. */
export function pageOf<Item extends { id: string }>(
  every: Item[],
  { kind, url, params, isWanted = () => true }: PageOptions<Item>,
): object {
  const { limit = DEFAULT_LIMIT, starting_after: after, ending_before: before } = params
  if (limit < 1 || limit > PAGE_LIMIT_MAX)
    throw invalidParameterError(`Invalid integer: ${limit} must be between 1 and 100`, 'limit')
  // The index is looked up among all objects, because the named object may no longer match the filter.
  const indexOf = (id: string, param: string) => {
    const at = every.findIndex((one) => one.id === id)
    if (at < 0) throw invalidParameterError(`No such ${kind}: '${id}'`, param, 'resource_missing')
    return at
  }
  if (before !== undefined) {
    const found = every.slice(0, indexOf(before, 'ending_before')).filter(isWanted)
    return { object: 'list', data: found.slice(-limit), has_more: found.length > limit, url }
  }
  const start = after === undefined ? 0 : indexOf(after, 'starting_after') + 1
  const found = every.slice(start).filter(isWanted)
  return { object: 'list', data: found.slice(0, limit), has_more: found.length > limit, url }
}
