import * as z from 'zod'
import { AttachmentKeys } from '../attachments/load.ts'
import type { SseMessage } from '../http/endpoint.ts'
import { ApiError, invalid } from '../http/errors.ts'
import { failureOf } from '../builds/runs.ts'
import type { Context } from '../endpoint.ts'
import type { Core } from '../platform.ts'
import { loadProject } from '../projects/projects.ts'
import { FrameQueue } from './frame-queue.ts'
import { type LiveTurn, startTurn, type TurnPorts } from './live-turn.ts'
import { type PlanFrame, type PlanMessage, presentMessage, toSse } from './message.ts'
import type { TurnRequest } from './open-turn.ts'

const TEXT_CHARS_MAX = 32_000

const Text = z.string().trim().min(1).max(TEXT_CHARS_MAX)

export const PlanBody = z.object({ text: Text, attachments: AttachmentKeys.optional() })
export const PlanStreamBody = z.object({
  text: Text.optional(),
  attachments: AttachmentKeys.optional(),
  retry: z.boolean().optional().describe('Runs the last failed exchange again; text is not needed then.'),
})

/** Starts a turn and waits for its reply. A caller who disconnects does not stop it. */
export async function replyNow(
  ctx: Context<TurnPorts>,
  projectId: string,
  body: z.output<typeof PlanStreamBody>,
): Promise<PlanMessage> {
  const project = await loadProject(ctx, projectId)
  const turn = await startTurn(ctx, project, readOrder(body))
  const message = presentMessage(await turn.ended)
  if (message.error !== null) throw failureOf(message.error)
  return message
}

/** Starts a turn and streams it. The stream ends with the stored reply, or with the reason why there is none. */
export async function streamTurn(
  ctx: Context<TurnPorts>,
  projectId: string,
  body: z.output<typeof PlanStreamBody>,
): Promise<AsyncIterable<SseMessage>> {
  const project = await loadProject(ctx, projectId)
  const queue = new FrameQueue()
  const turn = await startTurn(ctx, project, readOrder(body), (frame) => queue.push(frame))
  void lastFrame(ctx, turn).then((frame) => {
    queue.push(frame)
    queue.end()
  })
  return toMessages(queue, ctx.signal)
}

async function* toMessages(queue: FrameQueue, signal: AbortSignal): AsyncGenerator<SseMessage> {
  for await (const frame of queue.read(signal)) yield toSse(frame)
}

async function lastFrame(ctx: Core, turn: LiveTurn): Promise<PlanFrame> {
  try {
    const message = presentMessage(await turn.ended)
    return message.error === null ? { type: 'done', message } : { type: 'error', ...message.error }
  } catch (error) {
    ctx.log.warn({ err: error }, 'the end of a plan turn could not be stored')
    const message = error instanceof ApiError ? error.message : 'The reply could not be stored.'
    return { type: 'error', kind: 'interrupted', message }
  }
}

/** Returns what a request asks for: a reply to a new message, or `retry`. Throws 400 when the request has neither. */
function readOrder(body: z.output<typeof PlanStreamBody>): TurnRequest {
  if (body.retry === true) return 'retry'
  if (body.text === undefined) throw invalid('text', 'is required unless retry is true')
  return { text: body.text, attachments: body.attachments ?? [] }
}
