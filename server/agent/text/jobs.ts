import type { EditRefusal, EditRequest } from '../source/edit.ts'
import type { LineCounts } from './line-counts.ts'

export interface WrittenText extends LineCounts {
  syntax: string
}

export interface EditedText extends WrittenText {
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

/** One job for each tool call or request whose cost can grow faster than the length of the tenant's text. */
export type TextJobs = {
  write: {
    given: { path: string; before: string; after: string }
    returns: WrittenText | Refusal<'too_complex'>
  }
  edit: {
    given: { path: string; before: string; edit: EditRequest; bytesMax: number }
    returns: EditedText | Refusal<EditRefusal['code'] | 'too_complex'>
  }
  /** Each hit is a line `path:line: text`. When more than `hitsMax` lines match, `hits` has one element more than `hitsMax`. */
  search: {
    given: SearchRequest & { hitsMax: number }
    returns: { hits: string[] } | Refusal<'invalid_arguments'>
  }
  /** Returns the counts in the order of the pairs. */
  count: { given: { pairs: readonly (readonly [before: string, after: string])[] }; returns: LineCounts[] }
}
