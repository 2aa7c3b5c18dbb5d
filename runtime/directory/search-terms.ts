import type { CollectionSpec } from '../kernel/manifest.ts'

const WORDS_MAX = 16

export const searchedFields = (fields: CollectionSpec['fields']): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.search === true)

/** Searched when no field has `search`. */
export const textFields = (fields: CollectionSpec['fields']): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.type === 'text' || fields[name]?.type === 'enum')

/** A word that marks a collection in the index, so that a search matches no other collection's words. */
export const scopeOf = (collection: string): string => `c${collection}`

/**
 * Turns input into a query of the index: each word must match, the last one as a prefix. Words are quoted, so
 * that no operator of the index's language gets through. Null when there is no word.
 */
export function matchOf(collection: string, q: string): string | null {
  const words = wordsOf(q)
  if (words.length === 0) return null
  const terms = words.map((word, i) => `"${word}"${i === words.length - 1 ? '*' : ''}`)
  return `scope : "${scopeOf(collection)}" AND text : (${terms.join(' AND ')})`
}

/** The first 16 words of a search; more are ignored. */
export const wordsOf = (q: string): string[] =>
  (q.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []).slice(0, WORDS_MAX)

/** Only the fields with `search`. */
export function searchText(names: readonly string[], fields: Record<string, unknown>): string {
  return names
    .flatMap((name) => fields[name])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .join('\n')
}
