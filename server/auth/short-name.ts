import slugify from '@sindresorhus/slugify'
import { lockShortNames } from '../db/locks.ts'
import type { Trx } from '../db/database.ts'
import { freeSlug } from '../projects/slug.ts'

// Leaves room for a number suffix; the console accepts 48.
const LENGTH_MAX = 40

/** Returns `maria`, else `maria-2` and so on: no other organization may have it. */
export async function freeShortName(trx: Trx, name: string): Promise<string> {
  const words = slugify(name)
    .slice(0, LENGTH_MAX)
    .replaceAll(/^-+|-+$/g, '')
  const base = words === '' ? 'team' : words
  await lockShortNames(trx)
  const rows = await trx.selectFrom('organization').select('slug').where('slug', 'like', `${base}%`).execute()
  return freeSlug(base, new Set(rows.map(({ slug }) => slug)))
}
