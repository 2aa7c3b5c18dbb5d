import type { Organization } from '../../api/organization/organizations.ts'

/** The list has a search field when there are at least this many organizations. */
export const SEARCH_SHOWN_FROM = 8

/** Sorts organizations: first the ones used recently on this device, then all others by name. */
export function orderOrganizations(all: readonly Organization[], last: readonly string[]): Organization[] {
  const rank = (id: string) => (last.includes(id) ? last.indexOf(id) : last.length)
  return all.toSorted((a, b) => rank(a.id) - rank(b.id) || a.name.localeCompare(b.name))
}

/** The organizations whose name or short name contains the text. */
export function findOrganizations(all: readonly Organization[], q: string): Organization[] {
  const wanted = q.trim().toLowerCase()
  return all.filter(({ name, slug }) => name.toLowerCase().includes(wanted) || slug.includes(wanted))
}

const SLUG_LENGTH_MAX = 48
const SLUG_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

export const isSlug = (slug: string) => slug.length <= SLUG_LENGTH_MAX && SLUG_PATTERN.test(slug)

/** The nth short name to try: `acme`, `acme-2`, `acme-3`. */
export function slugOf(name: string, n = 1): string {
  const ending = n === 1 ? '' : `-${n}`
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH_MAX - ending.length)
    .replaceAll(/^-+|-+$/g, '')
  return (plain === '' ? 'team' : plain) + ending
}
