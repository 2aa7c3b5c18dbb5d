import { createTicket, getRun, listFiles, cancelBuild } from '@slipway/sdk/client/sdk.gen.ts'
import type { DoneFrame, Question } from '@slipway/sdk/frames.ts'
import { unwrap } from '@slipway/sdk/request.ts'
import { readBuildStream } from '@slipway/sdk/stream.ts'
import { NO_USAGE } from './figures.ts'
import type { Target } from './target.ts'
import type { TicketStep } from './task.ts'

/**
 * The maximum number of runs of a build. Each run after the first gets answers to the questions of the run before it. A build whose last
 * run still asks questions fails.
 */
const ROUNDS_MAX = 3

export interface TicketBuild {
  outcome: string
  /** The build's own message, for a build that did not succeed. */
  message: string
  previewUrl: string | null
  questions: number
  edits: number
  rewrites: number
  usage: typeof NO_USAGE
}

/**
 * Creates the ticket, builds it to its end and answers the build's questions. A build that takes longer than `limitMs` is cancelled and
 * counts as `timeout`.
 */
export async function buildTicket(
  target: Target,
  projectId: string,
  step: TicketStep,
  limitMs: number,
): Promise<TicketBuild> {
  const { client } = target
  const { title, body = '', type = 'feature' } = step
  const ticket = await unwrap(createTicket({ client, path: { projectId }, body: { title, body, type } }))
  const existing = new Set((await unwrap(listFiles({ client, path: { projectId } }))).paths)
  const built: TicketBuild = {
    outcome: 'awaiting',
    message: '',
    previewUrl: null,
    questions: 0,
    edits: 0,
    rewrites: 0,
    usage: NO_USAGE,
  }
  const limit = AbortSignal.timeout(limitMs)
  const place = { path: { projectId, ticketId: ticket.id } }
  let answers: { id: string; value: string }[] = []
  try {
    for (let round = 0; round < ROUNDS_MAX && built.outcome === 'awaiting'; round++) {
      const end = await followBuild(target, place.path, answers, existing, built, limit)
      if (end?.questions === undefined) continue
      built.questions += end.questions.length
      answers = end.questions.map((question) => answerOf(question, step.answers ?? {}))
    }
  } catch (error) {
    if (!limit.aborted) throw error
    built.outcome = 'timeout'
    built.message = `the build did not end within ${limitMs / 1000} s`
    await unwrap(cancelBuild({ client, ...place })).catch(() => null)
  }
  return built
}

/**
 * Follows the stream of one build run. Adds the edits, rewrites and tokens of the run to `built`, sets the
 * outcome, and returns the last frame of the stream.
 */
async function followBuild(
  target: Target,
  place: { projectId: string; ticketId: string },
  answers: { id: string; value: string }[],
  existing: Set<string>,
  built: TicketBuild,
  signal: AbortSignal,
): Promise<DoneFrame | null> {
  const url = `${target.url}/api/v1/projects/${place.projectId}/tickets/${place.ticketId}/build/stream`
  const body = answers.length === 0 ? {} : { answers }
  let run = ''
  let end: DoneFrame | null = null
  for await (const frame of readBuildStream({ url, body, signal, headers: target.headers })) {
    if (frame.type === 'run') run = frame.run
    if (frame.type === 'file' && frame.op === 'edit') built.edits += 1
    if (frame.type === 'file' && frame.op === 'write') {
      if (existing.has(frame.path)) built.rewrites += 1
      existing.add(frame.path)
    }
    if (frame.type === 'error') {
      built.outcome = frame.kind
      built.message = frame.message
    }
    if (frame.type === 'done') {
      end = frame
      built.outcome = frame.status
      built.message = frame.message ?? frame.summary ?? ''
      built.previewUrl = frame.previewUrl ?? null
    }
  }
  const { usage } = await unwrap(
    getRun({ client: target.client, path: { projectId: place.projectId, runId: run } }),
  )
  built.usage = {
    input: built.usage.input + usage.input,
    output: built.usage.output + usage.output,
    cacheRead: built.usage.cacheRead + usage.cacheRead,
    cacheWrite: built.usage.cacheWrite + usage.cacheWrite,
  }
  return end
}

function answerOf(question: Question, answers: Record<string, string>): { id: string; value: string } {
  const key = Object.keys(answers).find((part) =>
    question.question.toLowerCase().includes(part.toLowerCase()),
  )
  return { id: question.id, value: key === undefined ? question.default : (answers[key] ?? question.default) }
}
