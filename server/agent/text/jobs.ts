import type { EditRefusal, EditRequest } from '../source/edit.ts'
import type { LineSums } from './line-sums.ts'

/** A file that is to be stored, with the result of its inspection. */
export interface Written extends LineSums {
  syntax: string
}

/** The result of an edit: the new text, and the lines around the change. */
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

/** The jobs of a text worker: one for each tool call or request whose work can exceed the length of tenant text. */
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
