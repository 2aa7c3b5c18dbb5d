import type { EditRefusal, EditRequest } from '../source/edit.ts'
import type { LineSums } from './line-sums.ts'

/** A file as it is to be stored, looked at before it is. */
export interface Written extends LineSums {
  syntax: string
}

/** An edit that was made: the new text, and the lines around it. */
export interface Edited extends Written {
  text: string
  shown: string
}

export interface Refusal<Code extends string> {
  refused: { code: Code; message: string }
}

export interface SearchRequest {
  files: readonly (readonly [path: string, text: string])[]
  pattern: string
  glob: string | undefined
  isRegex: boolean
}

/** What a text worker does: one job for each tool call or request that reads tenant text by more than its length. */
export type TextJobs = {
  write: {
    given: { path: string; before: string; after: string }
    returns: Written | Refusal<'too_complex'>
  }
  edit: {
    given: { path: string; before: string; edit: EditRequest; bytesMax: number }
    returns: Edited | Refusal<EditRefusal['code'] | 'too_complex'>
  }
  /** Lines as `path:line: text`, at most one more than `hitsMax`. */
  search: {
    given: SearchRequest & { hitsMax: number }
    returns: { hits: string[] } | Refusal<'invalid_arguments'>
  }
  /** Lines added and removed between the texts of each pair, in the order of the pairs. */
  count: { given: { pairs: readonly (readonly [before: string, after: string])[] }; returns: LineSums[] }
}
