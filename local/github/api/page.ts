import type { Context } from 'hono'
import { GithubFailure } from '../context.ts'

const PER_PAGE = 30
const PER_PAGE_MAX = 100

/** Returns the requested page, and sets the `Link` header with the addresses of the other pages. */
export function requestedPage<T>(c: Context, items: readonly T[]): T[] {
  const size = Math.min(readWholeNumber(c, 'per_page', PER_PAGE), PER_PAGE_MAX)
  const number = readWholeNumber(c, 'page', 1)
  const last = Math.max(1, Math.ceil(items.length / size))
  const pageLink = (to: number, rel: string) => {
    const url = new URL(c.req.url)
    url.searchParams.set('page', String(to))
    return `<${url.href}>; rel="${rel}"`
  }
  const links = [
    ...(number > 1 ? [pageLink(Math.min(number - 1, last), 'prev')] : []),
    ...(number < last ? [pageLink(number + 1, 'next'), pageLink(last, 'last')] : []),
    ...(number > 1 ? [pageLink(1, 'first')] : []),
  ]
  if (links.length > 0) c.header('Link', links.join(', '))
  return items.slice((number - 1) * size, number * size)
}

function readWholeNumber(c: Context, name: string, fallback: number): number {
  const text = c.req.query(name)
  if (text === undefined) return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new GithubFailure(422, `${name} must be a positive number`)
  return value
}
