import { listBreaks } from './ratchet.ts'
import type { SourceFile } from './rules.ts'

/**
 * Counts the casts of a column, such as `row['id'] as string`, which a change of the table does not break. Returns one sentence for each
 * file that has more or fewer than `allowed` lists for it.
 */
export const rowCastBreaks = (files: readonly SourceFile[], allowed: Readonly<Record<string, number>>) =>
  listBreaks(files, allowed, {
    count: countRowCasts,
    what: 'casts a column of a row',
    list: 'row-casts.json',
    advice: 'give the query a row type',
  })

export const countRowCasts = (text: string): number =>
  [...text.matchAll(/\brow\??\.?\[\s*'[^']+'\s*\]\s+as\b/g)].length
