import type { EditRefusal, EditRequest } from '../source/edit.ts'
import type { LineSums } from './line-sums.ts'

export interface Written extends LineSums {
  syntax: string
}

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

/** One job for each tool call or request whose work can grow faster than the text of the tenant is long. */
export type TextJobs = {
  write: {
    given: { path: string; before: string; after: string }
    returns: Written | Refusal<'too_complex'>
  }
  edit: {
    given: { path: string; before: string; edit: EditRequest; bytesMax: number }
    returns: Edited | Refusal<EditRefusal['code'] | 'too_complex'>
  }
  /** Lines as `path:line: text`. One more than `hitsMax` says that there are further hits. */
  search: {
    given: SearchRequest & { hitsMax: number }
    returns: { hits: string[] } | Refusal<'invalid_arguments'>
  }
  /** In the order of the pairs. */
  count: { given: { pairs: readonly (readonly [before: string, after: string])[] }; returns: LineSums[] }
}
