import type { StreamPlanData, StreamPlanResponse } from './client/types.gen.ts'
import { type EventStreamOptions, readEvents, StreamDrop } from './event-stream.ts'

/** A frame of a plan stream; `done` or `error` is the last. */
export type PlanFrame = StreamPlanResponse
/** A new message, or a retry of the last failed exchange. */
export type PlanOrder = NonNullable<StreamPlanData['body']>

/**
 * Sends a message to the plan agent and yields its reply as it is written. The service does not store frames:
 * a connection that ends early throws, and the finished reply appears in the plan messages.
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
