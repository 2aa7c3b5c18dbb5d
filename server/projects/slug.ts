import slugify from '@sindresorhus/slugify'
import { RESERVED_ENDINGS } from '../resource-names.ts'

// Leaves room for `-app` and a number suffix; a slug has at most 50 characters.
const NAME_LENGTH_MAX = 40

/** Returns why a slug cannot be used, in words that follow `slug: ` in the response. Returns null for a valid slug. */
export function slugProblem(slug: string): string | null {
  if (slug.length < 3 || slug.length > 50) return 'must have 3 to 50 characters'
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) return 'must be lowercase letters, digits and single dashes'
  const ending = RESERVED_ENDINGS.find((reserved) => slug.endsWith(reserved))
  return ending === undefined ? null : `must not end in ${ending}`
}

/**
 * Returns a slug made from a name: transliterated, shortened and never reserved. Another project may have it
 * already (see `availableSlug`).
 */
export function slugOf(name: string): string {
  const words = slugify(name).replaceAll(/-+/g, '-').slice(0, NAME_LENGTH_MAX).replaceAll(/^-|-$/g, '')
  if (words.length < 3) return words === '' ? 'untitled-project' : `${words}-app`
  return slugProblem(words) === null ? words : `${words}-app`
}

/** Returns the first of `base`, `base-2`, `base-3` and so on that is not taken. */
export function availableSlug(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base
  for (let n = 2; ; n++) if (!taken.has(`${base}-${n}`)) return `${base}-${n}`
}
