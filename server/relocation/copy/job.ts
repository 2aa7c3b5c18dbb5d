import * as z from 'zod'
import type { AppInAccount } from '../app-transfer.ts'

/** The stored progress of a copy. Each step can be repeated from it. */
export const CopyCursor = z.discriminatedUnion('step', [
  z.object({ step: z.literal('uploads'), after: z.string() }),
  z.object({
    step: z.literal('rows'),
    partition: z.string().nullable(),
    after: z.object({ collection: z.string(), id: z.string() }).nullable(),
  }),
  // `cursor` is where a page of files begins, and `done` is how many files of this page are copied already.
  z.object({ step: z.literal('files'), cursor: z.string().nullable(), done: z.int().default(0) }),
  // `bucket` is the capability to which the bucket belongs, and `after` the key of the object that was copied last.
  z.object({ step: z.literal('objects'), bucket: z.string().nullable(), after: z.string().nullable() }),
  z.object({ step: z.literal('mails'), after: z.int() }),
  z.object({ step: z.literal('done') }),
])
export type CopyCursor = z.output<typeof CopyCursor>
export type StepCursor<Step extends CopyCursor['step']> = Extract<CopyCursor, { step: Step }>

/** The first step after all records are copied. */
export const FIRST_FILES_STEP: StepCursor<'files'> = { step: 'files', cursor: null, done: 0 }

export interface CopyProgress {
  keep: (cursor: CopyCursor, copied?: { records?: number; files?: number }) => Promise<void>
}

/** What each step of a copy needs. A step returns true when it has copied everything, and false when its time is up. */
export interface CopyJob {
  from: AppInAccount
  to: AppInAccount
  progress: CopyProgress
  isTimeUp: () => boolean
}
