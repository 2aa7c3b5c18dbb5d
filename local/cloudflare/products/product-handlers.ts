import type { Store } from '../../world/store.ts'
import type { AiBackend } from './ai/backend.ts'
import { answerAi } from './ai/rpc-handler.ts'
import { keepPoint } from './analytics-engine/rpc-handler.ts'
import { answerBrowser } from './browser/rpc-handler.ts'
import type { Rendering } from './browser/rendering.ts'
import type { ShimDesk } from '../runtime/shims/rpc-handlers.ts'
import { answerStream } from './stream/rpc-handler.ts'
import type { Videos } from './stream/videos.ts'
import type { Telemetry } from '../observability/telemetry/telemetry.ts'

interface Products {
  store: Store
  telemetry: Telemetry
  ai: AiBackend
  videos: Videos
  rendering: Rendering
  /** Milliseconds since 1970. */
  now(): number
}

/** Who answers the bindings of products that live in this process. */
export function productDesk({ store, telemetry, ai, videos, rendering, now }: Products): ShimDesk {
  return {
    'analytics-engine': (call) => keepPoint(telemetry, call),
    ai: (call) => answerAi({ store, backend: ai, now }, call),
    stream: (call) => answerStream(videos, call),
    browser: (call) => answerBrowser(rendering, call),
  }
}
