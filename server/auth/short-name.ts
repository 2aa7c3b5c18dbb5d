import slugify from '@sindresorhus/slugify'
import { lockShortNames } from '../db/locks.ts'
import type { Trx } from '../db/database.ts'
import { availableSlug } from '../projects/slug.ts'

// Leaves room for a number suffix: the console accepts names of at most 48 characters.
const SHORT_NAME_CHARS_MAX = 40

/** Returns a short name that no other organization has: `maria`, or else `maria-2` and so on. */
export async function availableShortName(trx: Trx, name: string): Promise<string> {
  const words = slugify(name)
    .slice(0, SHORT_NAME_CHARS_MAX)
    .replaceAll(/^-+|-+$/g, '')
  const base = words === '' ? 'team' : words
  await lockShortNames(trx)
  const rows = await trx.selectFrom('organization').select('slug').where('slug', 'like', `${base}%`).execute()
  return availableSlug(base, new Set(rows.map(({ slug }) => slug)))
}
