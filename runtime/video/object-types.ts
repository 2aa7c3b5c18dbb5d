import type { ResultMethod } from '../kernel/calls.ts'
import type { VideoObjectCalls } from './types.ts'

export interface Methods {
  /** Called on the directory. */
  videos: ResultMethod<VideoObjectCalls>
}
