import type { StreamPlanData, StreamPlanResponse } from './client/types.gen.ts'
import { type EventStreamOptions, readEvents, StreamDrop } from './event-stream.ts'

/** A frame of a plan stream; `done` or `error` is the last. */
export type PlanFrame = StreamPlanResponse
/** Something new is said, or the last failed exchange is tried again. */
export type PlanOrder = NonNullable<StreamPlanData['body']>

/**
 * Says something to the Plan agent and reads its reply as it is written. Frames are not kept by the service: a
 * connection that ends early throws, and the reply is found in the plan messages once it is there.
 */
export async function* readPlanStream(
  options: EventStreamOptions,
  order: PlanOrder,
): AsyncGenerator<PlanFrame> {
  for await (const frame of readEvents<PlanFrame>(options, order)) {
    yield frame
    if (frame.type === 'done' || frame.type === 'error') return
  }
  throw new StreamDrop('the stream ended before the reply')
}
