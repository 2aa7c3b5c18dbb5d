import type { ResultMethod } from '../kernel/calls.ts'
import type { VideoObjectCalls } from './types.ts'

export interface Methods {
  /** In the directory. */
  videos: ResultMethod<VideoObjectCalls>
}
