import type { StoredObject } from '../../bytes/bucket.ts'

/** Returns the used tokens of an object that could be sent again, with their expiry. */
export function readSpent(object: StoredObject | null, now: number): Map<string, number> {
  const pairs = (object?.customMetadata?.['spent'] ?? '').split(' ').map((pair) => pair.split('.'))
  const entries = pairs.map(([jti, exp]): [string, number] => [jti ?? '', Number(exp)])
  return new Map(entries.filter(([, exp]) => exp * 1000 > now))
}

/** The same in the form stored with the object. */
export const spentTokens = (spent: ReadonlyMap<string, number>): Record<string, string> => ({
  spent: [...spent].map(([jti, exp]) => `${jti}.${exp}`).join(' '),
})
