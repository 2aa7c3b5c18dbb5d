import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ApiEnv } from './context.ts'
import { ApiFailure } from './failure.ts'

export function respond(c: Context<ApiEnv>, result: unknown, status: ContentfulStatusCode = 200): Response {
  return c.json({ success: true, errors: [], messages: [], result }, status)
}

export function failureResponse(c: Context<ApiEnv>, failure: ApiFailure): Response {
  const body = {
    success: false,
    errors: [{ code: failure.code, message: failure.message }],
    messages: [],
    result: null,
  }
  return c.json(body, failure.status as ContentfulStatusCode, failure.headers)
}

const PER_PAGE_MAX = 1000

/**
 * Responds with one page of a list. Every list must use this function or `respondWithList`: the provider's clients request pages until one
 * is empty, so they would read a list that ignores `page` forever. Pages 0 and 1 are both the first page.
 */
export function respondWithPage(
  c: Context<ApiEnv>,
  items: unknown[],
  wrap: (page: unknown[]) => unknown = (page) => page,
): Response {
  const { shown, info } = readPage(c, items)
  return respondPage(c, wrap(shown), info)
}

/**
 * Responds with a whole list. Used for lists that the provider does not paginate and its clients read with one request. A request that
 * names a page gets that page, so that a client that reads pages until one is empty stops too.
 */
export function respondWithList(c: Context<ApiEnv>, items: unknown[]): Response {
  const { page, per_page: perPage } = c.req.query()
  return page === undefined && perPage === undefined ? respond(c, items) : respondWithPage(c, items)
}

/** Returns the items of the requested page, for a list that converts only these items to the provider's format. */
export function readPage<T>(c: Context<ApiEnv>, items: T[]): { shown: T[]; info: object } {
  const page = Math.max(1, readCount(c, 'page', 1))
  const perPage = Math.min(PER_PAGE_MAX, Math.max(1, readCount(c, 'per_page', 20)))
  const shown = items.slice((page - 1) * perPage, page * perPage)
  const info = {
    page,
    per_page: perPage,
    count: shown.length,
    total_count: items.length,
    total_pages: Math.ceil(items.length / perPage),
  }
  return { shown, info }
}

export function respondPage(c: Context<ApiEnv>, result: unknown, info: object): Response {
  return c.json({ success: true, errors: [], messages: [], result, result_info: info })
}

function readCount(c: Context<ApiEnv>, name: string, fallback: number): number {
  const text = c.req.query(name)
  if (text === undefined) return fallback
  const count = Number(text)
  if (!Number.isInteger(count) || count < 0)
    throw new ApiFailure(400, 10001, `${name} must be a whole number`)
  return count
}

export function isoTime(at: number): string {
  return new Date(at).toISOString()
}
