import type { AnsweringMethod } from '../kernel/calls.ts'
import type { VideoObjectCalls } from './types.ts'

export interface Methods {
  /** In the directory. */
  videos: AnsweringMethod<VideoObjectCalls>
}
