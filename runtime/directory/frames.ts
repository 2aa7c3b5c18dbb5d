import type { Row } from '../data/frames.ts'

/** A record found by the directory. */
export interface Found {
  partition: string
  row: Row
  /** The record is too large to be kept here whole: its partition has the rest. */
  isPartial: boolean
}
