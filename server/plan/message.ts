import * as z from 'zod'
import { openQuestions } from '../agent/prompts/questions.ts'
import { DeltaFrame, FailureKind, TokenCounts, ToolFrame } from '../agent/frames.ts'
import type { PlanMessagesTable } from '../db/tables/plan.ts'
import type { SseMessage } from '../http/endpoint.ts'

const Failure = z.object({ kind: FailureKind, message: z.string() })

export const PlanMessage = z
  .object({
    id: z.string(),
    role: z.enum(['user', 'agent']),
    text: z.string(),
    status: z.enum(['complete', 'stopped', 'failed']),
    error: Failure.nullable(),
    attachments: z.array(z.string()),
    tickets: z.array(z.string()).describe('Ids of the tickets this reply has written.'),
    questions: z
      .array(z.string())
      .describe(
        'What this reply asks: its lines that end with a question mark. Open until the person writes again.',
      ),
    model: z.string().nullable(),
    usage: TokenCounts.nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'PlanMessage' })
export type PlanMessage = z.output<typeof PlanMessage>

const RetryFrame = z.object({
  type: z.literal('retry'),
  waitMs: z.int(),
  reason: z.string(),
  text: z.string().describe('The reply so far. It replaces all text that was streamed before.'),
})

/** A frame of a plan stream. The last frame is `done` or `error`. Frames are not stored. */
export const PlanFrame = z.discriminatedUnion('type', [
  DeltaFrame,
  ToolFrame,
  RetryFrame,
  z.object({ type: z.literal('done'), message: PlanMessage }),
  z.object({ type: z.literal('error'), ...Failure.shape }),
])
export type PlanFrame = z.output<typeof PlanFrame>

export const toSse = (frame: PlanFrame): SseMessage => ({ data: JSON.stringify(frame) })

/** Returns a message as the API shows it. Throws for a reply that is still being written. */
export function presentMessage(row: PlanMessagesTable): PlanMessage {
  if (row.status === 'running') throw new Error('a reply is shown once its turn is over')
  return {
    id: row.id,
    role: row.role,
    text: row.text,
    status: row.status,
    error: row.error === null ? null : Failure.parse(JSON.parse(row.error)),
    attachments: JSON.parse(row.attachments),
    tickets: row.tickets,
    questions: row.role === 'agent' ? openQuestions(row.text) : [],
    model: row.model,
    usage: row.usage === null ? null : TokenCounts.parse(JSON.parse(row.usage)),
    createdAt: row.created_at.toISOString(),
  }
}
