import type { Row } from '../data/frames.ts'

export interface Found {
  partition: string
  row: Row
  /** The record is too large to be whole here; its partition has the rest. */
  isPartial: boolean
}
