import type { StoredObject } from '../../bytes/bucket.ts'

/** The tokens that were used for an object and could be sent again: their names, and when they expire. */
export function readSpent(object: StoredObject | null, now: number): Map<string, number> {
  const pairs = (object?.customMetadata?.['spent'] ?? '').split(' ').map((pair) => pair.split('.'))
  const entries = pairs.map(([jti, exp]): [string, number] => [jti ?? '', Number(exp)])
  return new Map(entries.filter(([, exp]) => exp * 1000 > now))
}

/** The same as it is kept with the object. */
export const spentTokens = (spent: ReadonlyMap<string, number>): Record<string, string> => ({
  spent: [...spent].map(([jti, exp]) => `${jti}.${exp}`).join(' '),
})
