import type { AppBundle } from '../bundle.ts'
import type { CheckReport } from './errors.ts'

/** What a checker is asked to do; trees cross as Maps and bundles as bytes (advanced serialization). */
export type Job =
  | { kind: 'check'; tree: ReadonlyMap<string, string>; enabled: readonly string[]; before: string | null }
  | { kind: 'bundle'; tree: ReadonlyMap<string, string> }

export type JobOf<K extends Job['kind']> = Extract<Job, { kind: K }>

export interface Results {
  check: CheckReport
  bundle: AppBundle
}

export interface JobMessage {
  id: number
  job: Job
}

export type AnswerMessage = {
  id: number
  /** The checker ran something that had to be stopped and is not to be used again. */
  retire: boolean
} & ({ ok: true; value: Results[Job['kind']] } | { ok: false; message: string })
