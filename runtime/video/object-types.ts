import type { ResultMethod } from '../kernel/objects/calls.ts'
import type { VideoObjectCalls } from './types.ts'
import type { createVideos } from './object.ts'

export interface Methods {
  /** Called only on the directory, the Durable Object that lists the people and videos of an app. */
  videos: ResultMethod<VideoObjectCalls>
}

declare module '../kernel/objects/part.ts' {
  interface LazyParts {
    createVideos: typeof createVideos
  }
}
