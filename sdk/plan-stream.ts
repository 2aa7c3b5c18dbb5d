import type { StreamPlanData, StreamPlanResponse } from './client/types.gen.ts'
import { type EventStreamOptions, readEvents, StreamInterruptedError } from './event-stream.ts'

/** A frame of a plan stream. The last one is `done` or `error`. */
export type PlanFrame = StreamPlanResponse
/** A new message, or the request to retry the last failed reply. */
export type PlanRequest = NonNullable<StreamPlanData['body']>

/**
 * Sends a message to the plan agent and yields its reply while it is written. Throws when the connection ends
 * before the reply. The service does not store the frames, but stores the finished reply as a plan message.
 */
export async function* readPlanStream(
  options: EventStreamOptions,
  order: PlanRequest,
): AsyncGenerator<PlanFrame> {
  for await (const frame of readEvents<PlanFrame>(options, order)) {
    yield frame
    if (frame.type === 'done' || frame.type === 'error') return
  }
  throw new StreamInterruptedError('the stream ended before the reply')
}
