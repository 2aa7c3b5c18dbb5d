import type { RecordRow } from '../data/frames.ts'

export interface DirectoryRow {
  partition: string
  row: RecordRow
  /**
   * True when the record is too large for the directory, which then stores only its indexed and searchable
   * fields. Its partition has all fields.
   */
  isPartial: boolean
}
