import { SlipwayError } from '@slipway/sdk/errors.ts'
import type { SequencedFrame } from '@slipway/sdk/frames.ts'
import { type BuildStreamOptions, readBuildStream } from '@slipway/sdk/stream.ts'
import { changedBy, invalidateAll, queryKeys } from '../../api/query-keys.ts'
import { buildStreamUrl, runQuery } from '../../api/project/builds.ts'
import { queryClient } from '../../api/request/query-client.ts'
import { readTicket } from '../../api/project/tickets.ts'
import { createStore } from '../../lib/store.ts'
import { watchHidden } from '../../lib/watch-hidden.ts'
import { type BuildState, initialBuild, isUnderWay, reduceBuild } from './build-state.ts'
import { createFrameBatcher } from './frame-batches.ts'

export interface BuildView {
  state: BuildState
  connection: 'open' | 'waiting' | 'lost'
  /** The error with which the service refused to start the build, so that no run exists. Null otherwise. */
  refusal: unknown
  /**
   * The answers in the request that started the build. When the service refused that request, a retry sends the same
   * answers again.
   */
  answers: QuestionAnswer[] | null
  isFollowing: boolean
  /**
   * True while the stored events of a finished run are being loaded. The page shows the run only once all of them are
   * loaded.
   */
  isReplay: boolean
}

/**
 * After `TRIES_MAX` failed attempts the connection counts as lost. The run is then fetched every `RECONNECT_EVERY_MS`
 * until a fetch succeeds.
 */
const TRIES_MAX = 5
const RECONNECT_EVERY_MS = 10_000
/** After this time the page shows a finished run even if not all of its stored events are loaded. */
const REPLAY_MS_MAX = 1500

interface BuildListeners {
  onAccepted?: () => void
  onBusy?: () => void
}

interface FollowedBuild {
  projectId: string
  view: BuildView
  stop: AbortController
  /**
   * False until the stream has named its run. Closing the stream earlier could cancel the request that starts the
   * build, and the user would not notice.
   */
  canResume: boolean
  /** Runs that were followed before the current run. A stale list of runs must not show these earlier runs again. */
  past: Set<string>
}

const followerOfTicket = new Map<string, FollowedBuild>()
let newestFollower: FollowedBuild | null = null
/** The view of each followed build, by the id of its ticket. */
export const buildViews = createStore<ReadonlyMap<string, BuildView>>(new Map())

/** True while this tab follows a build that is running. */
export const isBuilding = (view: BuildView | null) =>
  view !== null && view.isFollowing && !view.isReplay && isUnderWay(view.state)

/**
 * The progress of the build that this tab follows. Null when this tab has not followed a build of the ticket.
 */
export type BuildProgress = 'building' | 'asking' | 'over' | null

export function progressOf(view: BuildView | null): BuildProgress {
  if (view === null || view.isReplay) return null
  if (isBuilding(view)) return 'building'
  return view.state.phase === 'awaiting' ? 'asking' : 'over'
}

export const buildViewOf = (ticketId: string): BuildView | null => buildViews.get().get(ticketId) ?? null

/**
 * Starts a build and follows it. With `answers` it continues the build that asked the questions. Calls `onAccepted` when the service has
 * started the build. When another build is running, calls `onBusy` instead of showing the error.
 */
export function startBuild(
  projectId: string,
  ticketId: string,
  { answers = null, ...on }: { answers?: QuestionAnswer[] | null } & BuildListeners = {},
): void {
  const earlier = followerOfTicket.get(ticketId)?.view.state.run
  const past = new Set(followerOfTicket.get(ticketId)?.past)
  if (earlier) past.add(earlier)
  startFollower(projectId, ticketId, {
    state: initialBuild,
    past,
    body: answers ? { answers } : {},
    isReplay: false,
    answers,
    ...on,
  })
}

/** Removes the error of a build that could not start, and shows the ticket's last run, if any. */
export function dismissRefusal(projectId: string, ticketId: string, run: string | null): void {
  if (followerOfTicket.get(ticketId)?.view.state.run !== null) return
  followerOfTicket.delete(ticketId)
  if (run) followBuild(projectId, ticketId, run, false)
  else publishViews()
}
export interface QuestionAnswer {
  id: string
  value: string | string[]
}

/**
 * Follows an existing run from its first event, or from the event after the last received one when the tab already shows the run. Does
 * nothing while the tab follows any run of the ticket. Also does nothing for the shown run when it has ended, and for a run that the tab
 * followed before the shown one.
 */
export function followBuild(projectId: string, ticketId: string, run: string, isRunning: boolean): void {
  const known = followerOfTicket.get(ticketId)
  if (known && (known.view.isFollowing || known.past.has(run))) return
  if (known?.view.state.run === run && !isUnderWay(known.view.state)) return
  const same = known?.view.state.run === run ? known.view.state : initialBuild
  const past = new Set(known?.past)
  if (known?.view.state.run && known.view.state.run !== run) past.add(known.view.state.run)
  startFollower(projectId, ticketId, {
    state: same,
    past,
    body: { run, after: same.seq },
    isReplay: !isRunning,
  })
}

/** Opens the stream of a build again, from the event after the last received one. Does nothing while the stream is open. */
export function reconnectBuild(ticketId: string): void {
  const follower = followerOfTicket.get(ticketId)
  const { run, seq } = follower?.view.state ?? initialBuild
  if (!follower || !run || follower.view.isFollowing) return
  startFollower(follower.projectId, ticketId, {
    state: follower.view.state,
    past: follower.past,
    body: { run, after: seq },
    isReplay: false,
  })
}

function startFollower(
  projectId: string,
  ticketId: string,
  from: {
    state: BuildState
    past: Set<string>
    body: BuildStreamOptions['body']
    isReplay: boolean
    answers?: QuestionAnswer[] | null
  } & BuildListeners,
): void {
  // Close the streams of other builds, because a tab keeps only one stream open. A closed stream can be resumed later, after
  // the last event that was received.
  for (const other of followerOfTicket.values()) if (other.canResume) other.stop.abort()
  const view: BuildView = {
    state: from.state,
    connection: 'open',
    refusal: null,
    answers: from.answers ?? null,
    isFollowing: true,
    isReplay: from.isReplay,
  }
  const canResume = 'run' in from.body
  const follower: FollowedBuild = { projectId, view, stop: new AbortController(), canResume, past: from.past }
  newestFollower = follower
  followerOfTicket.set(ticketId, follower)
  publishViews()
  void readStream(ticketId, follower, from)
}

async function readStream(
  ticketId: string,
  follower: FollowedBuild,
  { body, onAccepted, onBusy }: { body: BuildStreamOptions['body'] } & BuildListeners,
): Promise<void> {
  const { signal } = follower.stop
  const changeView = (part: Partial<BuildView>) => {
    if (followerOfTicket.get(ticketId) !== follower) return
    follower.view = { ...follower.view, ...part }
    publishViews()
  }
  const batches = createFrameBatcher((frames: SequencedFrame[]) => {
    changeView({
      state: frames.reduce(reduceBuild, follower.view.state),
      connection: 'open',
      isReplay: false,
    })
  })
  const kept: SequencedFrame[] = []
  const showReplayed = () => {
    for (const frame of kept.splice(0)) batches.add(frame)
    changeView({ isReplay: false })
  }
  const replayTimer = setTimeout(showReplayed, REPLAY_MS_MAX)
  try {
    const frames = readBuildStream({
      url: buildStreamUrl(follower.projectId, ticketId),
      body,
      signal,
      maxTries: TRIES_MAX,
      findRun: async () => (await readTicket(follower.projectId, ticketId)).build.runId,
      onWaiting: (waiting) => changeView({ connection: waiting ? 'waiting' : 'open' }),
    })
    let current = follower.view.state.run
    for await (const frame of frames) {
      if (frame.type === 'run' && current !== frame.run) {
        if (current) follower.past.add(current)
        current = frame.run
        onAccepted?.()
      }
      if (follower.view.isReplay) kept.push(frame)
      else {
        batches.add(frame)
        refreshAfter(frame)
      }
      follower.canResume = true
      // The person opened another build while this one was starting, so close the stream of this build now that it can
      // be resumed.
      if (follower !== newestFollower) break
    }
    for (const frame of kept) batches.add(frame)
    batches.flush()
    changeView({ isFollowing: false, connection: 'open', isReplay: false })
  } catch (error) {
    showReplayed()
    batches.flush()
    if (signal.aborted) changeView({ isFollowing: false })
    else if (follower.view.state.run === null) {
      changeView({ isFollowing: false, refusal: error })
      if (onBusy && error instanceof SlipwayError && error.code === 'conflict') {
        dismissRefusal(follower.projectId, ticketId, [...follower.past].at(-1) ?? null)
        onBusy()
      }
    } else {
      changeView({ isFollowing: false, connection: 'lost' })
      reconnectWhenReachable(ticketId, follower)
    }
  } finally {
    clearTimeout(replayTimer)
  }
}

/** While the connection is lost, fetches the run until a fetch succeeds, then reconnects the stream. */
function reconnectWhenReachable(ticketId: string, follower: FollowedBuild): void {
  const timer = setInterval(async () => {
    const { connection, state } = follower.view
    if (connection !== 'lost' || followerOfTicket.get(ticketId) !== follower) return clearInterval(timer)
    const isBack = await queryClient
      .fetchQuery({ ...runQuery(follower.projectId, state.run ?? ''), staleTime: 0 })
      .then(() => true)
      .catch(() => false)
    if (isBack) reconnectBuild(ticketId)
  }, RECONNECT_EVERY_MS)
}

function refreshAfter(frame: SequencedFrame): void {
  const ended = frame.type === 'done' || frame.type === 'error'
  if (frame.type === 'run') void invalidateAll(queryClient, [...changedBy.buildStart, queryKeys.attention])
  if (ended) void invalidateAll(queryClient, [...changedBy.buildEnd, queryKeys.attention])
  if (frame.type === 'tool' && frame.name === 'rename_project')
    void queryClient.invalidateQueries({ queryKey: queryKeys.projects.all })
}

function publishViews(): void {
  buildViews.set(new Map([...followerOfTicket].map(([ticketId, { view }]) => [ticketId, view])))
}

/** Closes the streams while the tab is hidden. Reconnects the streams when the tab is shown, or when a shown tab is back online. */
export function watchVisibility(): () => void {
  const suspended = new Set<string>()
  const resume = () => {
    for (const [ticketId, { view }] of followerOfTicket)
      if (suspended.delete(ticketId) || view.connection === 'lost') reconnectBuild(ticketId)
  }
  const suspend = () => {
    for (const [ticketId, follower] of followerOfTicket) {
      if (!follower.view.isFollowing || follower.view.state.run === null) continue
      suspended.add(ticketId)
      follower.stop.abort()
    }
  }
  const resumeShown = () => {
    if (!document.hidden) resume()
  }
  const unwatch = watchHidden({ onHidden: suspend, onShown: resume })
  addEventListener('online', resumeShown)
  return () => {
    unwatch()
    removeEventListener('online', resumeShown)
  }
}
