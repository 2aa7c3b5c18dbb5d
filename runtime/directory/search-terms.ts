import type { CollectionSpec } from '../kernel/manifest.ts'

const WORDS_MAX = 16

/** The fields that the index of a collection is made of. */
export const searchedFields = (fields: CollectionSpec['fields']): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.search === true)

/** The fields that people write text into: what is searched where no field says `search`. */
export const textFields = (fields: CollectionSpec['fields']): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.type === 'text' || fields[name]?.type === 'enum')

/** A word that stands for a collection in the index, so that a search meets no other collection's words. */
export const scopeOf = (collection: string): string => `c${collection}`

/**
 * What people type as a query of the index: each word must be there, the last one may go on. Words are quoted, so
 * nothing of the index's own language gets through. Null when there is no word.
 */
export function matchOf(collection: string, q: string): string | null {
  const words = wordsOf(q)
  if (words.length === 0) return null
  const terms = words.map((word, i) => `"${word}"${i === words.length - 1 ? '*' : ''}`)
  return `scope : "${scopeOf(collection)}" AND text : (${terms.join(' AND ')})`
}

/** The words of a search; more than 16 are not looked for. */
export const wordsOf = (q: string): string[] => (q.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, WORDS_MAX)

/** The text a record is found by: the fields that say `search`. */
export function searchText(names: readonly string[], fields: Record<string, unknown>): string {
  return names
    .flatMap((name) => fields[name])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .join('\n')
}
