import type { ModelMessage } from 'ai'
import type { Compaction } from '../../agent/loop/compaction.ts'
import type { FileRef } from '../../agent/loop/files.ts'
import type { PreviewError } from '../preview-errors.ts'

/** An answer to a question of an earlier run. */
export interface Answer {
  id: string
  value: string | string[]
}

/** What a run starts from, made once when it is first taken up and the same for every later attempt. */
export interface PreparedInput {
  instructions: string
  opening: ModelMessage[]
  /** Files whose text the opening shows. */
  shown: string[]
  /** Git tree of the agent's files the run is compared with. */
  base: string
  /** Git tree it begins with: the base, or the draft of an earlier run. */
  start: string
  /** How the conversation was shortened, once it was. */
  compaction?: Compaction
}

/** The `input` column of a run. */
export interface RunInput {
  prepared: PreparedInput | null
  /** What the preview had reported when the run was started. */
  previewErrors: PreviewError[]
  /** What was attached when the run was started. */
  files?: FileRef[]
}

export const readInput = (text: string): RunInput => JSON.parse(text) as RunInput
export const inputText = (input: RunInput): string => JSON.stringify(input)
