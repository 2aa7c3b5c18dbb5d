import type { CollectionSpec } from '../kernel/manifest.ts'

const WORDS_MAX = 16

export const searchedFields = (fields: CollectionSpec['fields']): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.search === true)

/** Returns the fields that are searched when no field has `search`. */
export const textFields = (fields: CollectionSpec['fields']): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.type === 'text' || fields[name]?.type === 'enum')

/** The index contains this word in every entry of the collection, so that a search matches only entries of its own collection. */
export const scopeOf = (collection: string): string => `c${collection}`

/**
 * Builds a full-text query: every word must match, the last word as a prefix. Words are quoted, so that the input cannot contain query
 * operators. Returns null when there is no word.
 */
export function ftsQueryOf(collection: string, q: string): string | null {
  const words = wordsOf(q)
  if (words.length === 0) return null
  const terms = words.map((word, i) => `"${word}"${i === words.length - 1 ? '*' : ''}`)
  return `scope : "${scopeOf(collection)}" AND text : (${terms.join(' AND ')})`
}

/** Returns the first 16 words of a search and ignores the rest. */
export const wordsOf = (q: string): string[] =>
  (q.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []).slice(0, WORDS_MAX)

/** Joins the values of the fields `names`, which are the fields with `search`. */
export function searchText(names: readonly string[], fields: Record<string, unknown>): string {
  return names
    .flatMap((name) => fields[name])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .join('\n')
}
