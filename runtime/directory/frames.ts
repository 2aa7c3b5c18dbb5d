import type { Row } from '../data/frames.ts'

export interface Found {
  partition: string
  row: Row
  /**
   * True when the record is too large for the directory, which then stores only its indexed and searchable
   * fields. Its partition has all fields.
   */
  isPartial: boolean
}
