import type { Failure } from '../agent/frames.ts'
import { findProject, type ProjectRow } from '../projects/store.ts'
import { isUnavailable } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import type { PlanMessagesTable } from '../db/tables/plan.ts'
import type { Context } from '../endpoint.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Core, PlatformPorts, Ports } from '../platform.ts'
import { runTurn, newDraft } from './run-turn.ts'
import type { PlanFrame } from './message.ts'
import { type OpenTurn, type TurnRequest, openTurn } from './open-turn.ts'
import { ReplyText } from './reply-text.ts'
import { onTurnNotification } from './turn-notifications.ts'
import { INTERRUPTED_FAILURE, TurnLostError, writeTurnHeartbeat, settleTurn } from './turn-row.ts'

const HEARTBEAT_MS = 3_000

export type TurnPorts = 'accounts' | 'pool' | 'listener' | 'textWorkers'

/**
 * A turn of the plan conversation (a message and the reply to it) that runs in this process, whether or not a client
 * reads its stream.
 */
export interface LiveTurn {
  /** Resolves to the reply as it is stored at the end. */
  ended: Promise<PlanMessagesTable>
}

/** Starts a turn. It is independent of the request, so a caller who disconnects does not end it. */
export async function startTurn(
  ctx: Context<TurnPorts>,
  project: ProjectRow,
  order: TurnRequest,
  onFrame: (frame: PlanFrame) => void = () => {},
): Promise<LiveTurn> {
  const turn = await openTurn(ctx, project, order)
  const stopping = new AbortController()
  const ended = runOpenTurn(ctx, turn, { stopping: stopping.signal, onFrame })
  const turns = turnsOfListener(ctx.listener)
  const live = { ended, stop: () => stopping.abort() }
  turns.add(live)
  // The error is ignored here, because callers that await `ended` get it.
  void ended.catch(() => undefined).then(() => turns.delete(live))
  return live
}

/** Ends all turns of this process when the process stops. Their replies are stored as interrupted. */
export async function endLiveTurns(platform: Pick<Ports, 'listener'>): Promise<void> {
  const turns = [...turnsOfListener(platform.listener)]
  for (const turn of turns) turn.stop()
  await Promise.allSettled(turns.map((turn) => turn.ended))
}

const liveTurns = new WeakMap<Listener, Set<LiveTurn & { stop: () => void }>>()

function turnsOfListener(listener: Listener) {
  const turns = liveTurns.get(listener) ?? new Set()
  liveTurns.set(listener, turns)
  return turns
}

async function runOpenTurn(
  ctx: Context<TurnPorts>,
  turn: OpenTurn,
  { stopping, onFrame }: { stopping: AbortSignal; onFrame: (frame: PlanFrame) => void },
): Promise<PlanMessagesTable> {
  const alive = startHeartbeat(ctx, turn.reply)
  const text = new ReplyText()
  const draft = newDraft(text, onFrame)
  try {
    const signal = AbortSignal.any([alive.signal, stopping])
    // Do not use the request's signal: it is aborted when the reader disconnects, and the turn has to continue.
    const failure = await runTurn({ ...ctx, signal }, turn, draft, signal).catch((error: unknown) =>
      stopping.aborted || error instanceof TurnLostError || alive.signal.aborted
        ? INTERRUPTED_FAILURE
        : failureFrom(ctx, turn, error),
    )
    const row = await settleTurn(ctx.db, turn.reply, { text: String(text), usage: draft.usage, failure })
    if (row !== null) return row
    const key = { orgId: turn.project.org_id, projectId: turn.project.id }
    if ((await findProject(ctx.db, key)) === null) throw notFound('project')
    throw new ApiError('unavailable', INTERRUPTED_FAILURE.message)
  } finally {
    alive.stop()
  }
}

/** Sends heartbeats for the turn. Aborts the turn's signal once the turn was stopped, or was marked as failed for late heartbeats. */
function startHeartbeat(ctx: PlatformPorts<'listener'>, reply: PlanMessagesTable) {
  const lost = new AbortController()
  const beat = async () => {
    if (!(await writeTurnHeartbeat(ctx.db, reply))) lost.abort(new TurnLostError(reply.id))
  }
  // A failed heartbeat is only logged: when the database is unavailable, the turn's own writes fail.
  const beatQuietly = () =>
    void beat().catch((error: unknown) => ctx.log.debug({ err: error }, 'plan heartbeat'))
  const timer = setInterval(beatQuietly, HEARTBEAT_MS)
  const stopListening = onTurnNotification(ctx.listener, (notification) => {
    if (notification === null || (notification.kind === 'stopped' && notification.id === reply.id))
      beatQuietly()
  })
  return {
    signal: lost.signal,
    stop: () => {
      clearInterval(timer)
      stopListening()
    },
  }
}

/** Returns the failure with a message for the user. Logs the cause when the message does not contain it. */
function failureFrom(ctx: Core, { reply }: OpenTurn, error: unknown): Failure {
  if (error instanceof ProviderError) return { kind: 'model_error', message: error.message }
  ctx.log.error({ err: error, reply: reply.id }, 'plan turn failed')
  return isUnavailable(error)
    ? { kind: 'unavailable', message: 'The service is overloaded for a moment. Try it again.' }
    : { kind: 'server_error', message: 'Something went wrong on our side. Try it again.' }
}
