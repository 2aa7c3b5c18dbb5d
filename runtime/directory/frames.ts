import type { Row } from '../data/frames.ts'

export interface Found {
  partition: string
  row: Row
  /** The record is too large to be stored completely here. Its partition has all fields. */
  isPartial: boolean
}
