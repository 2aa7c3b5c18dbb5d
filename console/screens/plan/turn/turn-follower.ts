import type { PlanMessage } from '@slipway/sdk/client/types.gen.ts'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { type PlanFrame, type PlanRequest, readPlanStream } from '@slipway/sdk/plan-stream.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { planStreamUrl, threadQuery } from '../../../api/project/plan.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import { isAwaitingReply, type Thread } from '../../../api/project/thread.ts'
import { createStore } from '../../../lib/store.ts'
import { watchHidden } from '../../../lib/watch-hidden.ts'
import { onDraftsCleared } from '../../../shell/clear-drafts.ts'
import { createFrameBatcher } from '../../../state/builds/frame-batches.ts'
import { initialTurn, reduceTurn, type TurnState } from './turn-state.ts'

/** A reply that is being written. */
export interface TurnView {
  /**
   * The person's message until the thread contains it. Null for a retried reply and for a reply that was started
   * in another tab.
   */
  said: { text: string; attachments: string[] } | null
  /**
   * `apart` is a reply without a stream: the reply was started in another tab, or its stream was lost. The thread is polled until it has
   * the reply.
   */
  phase: 'sending' | 'answering' | 'apart'
  state: TurnState
  /** When this tab began to follow the reply, in epoch milliseconds. The elapsed time starts here. */
  since: number
}

const POLL_MS = 2000
/** Wait before refetching the tickets, because a reply can write several tickets in one second. */
const REFRESH_MS = 500

interface FollowedTurn {
  projectId: string
  view: TurnView
  stop: AbortController
  /** Whether to close the stream as soon as the service has accepted the request. */
  isLeft: boolean
}

const followedTurns = new Map<string, FollowedTurn>()
/**
 * The replies that this page streamed, by message id. They contain the reasoning and the tool calls, which
 * cannot be fetched later, because the service stores only the text of a reply.
 */
const finishedStates = new Map<string, TurnState>()
/** The reply that is being written in each project, by project id. */
export const turnViews = createStore<ReadonlyMap<string, TurnView>>(new Map())

// A sign-out clears the drafts. Drop every conversation from memory too. The replies continue on the service.
onDraftsCleared(() => {
  for (const turn of followedTurns.values()) turn.stop.abort()
  followedTurns.clear()
  finishedStates.clear()
  publishViews()
})

/** Returns a reply with its reasoning and tool calls, or null when this page did not stream it. */
export const finishedTurnOf = (messageId: string): TurnState | null => finishedStates.get(messageId) ?? null

/** Sends a message or retries the failed reply. Resolves when the service accepts the request, rejects when the service refuses it. */
export function sendTurn(projectId: string, order: PlanRequest): Promise<void> {
  // A tab has at most one open stream, so close the streams of other projects. Their replies are polled (`pollForReply`).
  for (const other of followedTurns.values()) leaveStream(other)
  const { text, attachments = [] } = order
  const said = text === undefined ? null : { text, attachments }
  const turn = beginTurn(projectId, { said, phase: 'sending' })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  void readStream(turn, order, { accept: resolve, refuse: reject })
  return promise
}

/** Follows a reply that was started in another tab or before this page was loaded. */
export function awaitReply(projectId: string): void {
  if (followedTurns.has(projectId)) return
  void pollForReply(beginTurn(projectId, { said: null, phase: 'apart' }))
}

function beginTurn(projectId: string, part: Pick<TurnView, 'said' | 'phase'>): FollowedTurn {
  const view = { ...part, state: initialTurn, since: Date.now() }
  const turn = { projectId, view, stop: new AbortController(), isLeft: false }
  followedTurns.set(projectId, turn)
  publishViews()
  return turn
}

async function readStream(
  turn: FollowedTurn,
  order: PlanRequest,
  callbacks: { accept: () => void; refuse: (error: unknown) => void },
): Promise<void> {
  const { projectId } = turn
  const before = lastMessage(threadOf(projectId))
  const batches = createFrameBatcher((frames: PlanFrame[]) =>
    changeView(turn, { state: frames.reduce(reduceTurn, turn.view.state) }),
  )
  let isAccepted = false
  const onAccepted = () => {
    isAccepted = true
    if (order.retry) dropFailedReply(projectId)
    changeView(turn, { phase: 'answering' })
    callbacks.accept()
    if (turn.isLeft) turn.stop.abort()
  }
  try {
    const options = { url: planStreamUrl(projectId), signal: turn.stop.signal, onAccepted }
    for await (const frame of readPlanStream(options, order)) {
      batches.add(frame)
      refreshAfter(frame)
    }
  } catch (error) {
    if (!isAccepted && !(await wasReceived(projectId, order, before, error))) {
      endTurn(turn)
      // Refetch the thread, because it may show the cause, such as a running reply to another person.
      void queryClient.invalidateQueries({ queryKey: threadQuery(projectId).queryKey })
      return callbacks.refuse(error)
    }
    callbacks.accept()
  }
  batches.flush()
  await pollForReply(turn)
}

/**
 * Returns whether the service received a request whose response was lost. If so, the stored thread contains the message. Without this check
 * a retry could send the same message twice.
 */
async function wasReceived(
  projectId: string,
  order: PlanRequest,
  before: PlanMessage | undefined,
  error: unknown,
): Promise<boolean> {
  if (error instanceof SlipwayError && error.status !== 0) return false
  const thread = await readThread(projectId).catch(() => null)
  if (thread === null) return false
  if (order.retry) return lastMessage(thread)?.status !== 'failed'
  const seen = thread.messages.findIndex(({ id }) => id === before?.id)
  return thread.messages.slice(seen + 1).some(({ role, text }) => role === 'user' && text === order.text)
}

/** Polls the thread until it has the reply, then stops following it. */
async function pollForReply(turn: FollowedTurn): Promise<void> {
  const { projectId } = turn
  for (let isFirst = true; followedTurns.get(projectId) === turn; isFirst = false) {
    if (!isFirst) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    if (!isFirst && document.hidden) continue
    try {
      const thread = await readThread(projectId)
      // A sign-out may have dropped the conversation in the meantime.
      if (followedTurns.get(projectId) !== turn) return
      if (!isAwaitingReply(thread)) {
        const reply = lastMessage(thread)
        if (reply && turn.view.state.parts.length > 0) finishedStates.set(reply.id, turn.view.state)
        endTurn(turn)
        refreshAll()
      } else if (turn.view.phase !== 'apart') changeView(turn, { phase: 'apart' })
    } catch (error) {
      // With a status from 400 to 428 the person is signed out, the project is deleted, or access is forbidden. Polling would not help.
      if (error instanceof SlipwayError && error.status >= 400 && error.status < 429) endTurn(turn)
      else changeView(turn, { phase: 'apart' })
    }
  }
}

const threadOf = (projectId: string) => queryClient.getQueryData(threadQuery(projectId).queryKey)
const lastMessage = (thread: Thread | undefined) => thread?.messages.at(-1)

async function readThread(projectId: string): Promise<Thread> {
  // Cancel a pending read of the thread, because its response may lack the latest message.
  await queryClient.cancelQueries({ queryKey: threadQuery(projectId).queryKey })
  return queryClient.fetchQuery(threadQuery(projectId))
}

/** Removes the failed reply from the cached thread, as the service does while it retries the reply. */
function dropFailedReply(projectId: string): void {
  queryClient.setQueryData(threadQuery(projectId).queryKey, (thread) =>
    lastMessage(thread)?.status === 'failed' && thread
      ? { ...thread, messages: thread.messages.slice(0, -1) }
      : thread,
  )
}

function changeView(turn: FollowedTurn, part: Partial<TurnView>): void {
  turn.view = { ...turn.view, ...part }
  publishViews()
}

function endTurn(turn: FollowedTurn): void {
  if (followedTurns.get(turn.projectId) === turn) followedTurns.delete(turn.projectId)
  publishViews()
}

function publishViews(): void {
  turnViews.set(new Map([...followedTurns].map(([projectId, { view }]) => [projectId, view])))
}

let refreshTimer: ReturnType<typeof setTimeout> | undefined

function refreshAfter(frame: PlanFrame): void {
  if (frame.type !== 'tool' || !frame.ok) return
  if (frame.name === 'write_readme') void queryClient.invalidateQueries({ queryKey: queryKeys.plan.readmes })
  if (!frame.name.endsWith('_ticket')) return
  refreshTimer ??= setTimeout(() => {
    refreshTimer = undefined
    void queryClient.invalidateQueries({ queryKey: queryKeys.tickets.all })
  }, REFRESH_MS)
}

function refreshAll(): void {
  void queryClient.invalidateQueries({ queryKey: queryKeys.tickets.all })
  void queryClient.invalidateQueries({ queryKey: queryKeys.plan.readmes })
}

/** Closes the streams when the tab is hidden. Once the tab is shown again, their replies are polled. */
export const closeStreamsWhenHidden = (): (() => void) =>
  watchHidden({ onHidden: () => followedTurns.forEach(leaveStream) })

/**
 * Closes the stream of a reply. Does not abort a request that the service has not accepted yet: the message may have arrived, and the
 * person would send it a second time.
 */
function leaveStream(turn: FollowedTurn): void {
  turn.isLeft = true
  if (turn.view.phase !== 'sending') turn.stop.abort()
}
