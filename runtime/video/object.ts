import type { BudgetCalls } from '../directory/budget.ts'
import type { ResultOf, AsyncHandlersOf } from '../kernel/objects/calls.ts'
import { asResult } from '../kernel/errors.ts'
import { directoryOf } from '../kernel/objects/objects.ts'
import type { PartContext } from '../kernel/objects/part.ts'
import { RECHECK_MS, type RunnerDeps } from '../kernel/objects/runs.ts'
import { nextCheckAt, toOwnedVideo, type StoredVideo, VideoStore } from './store.ts'
import { deleteFromStream, detailsOf, type Stream, streamOf } from './stream.ts'
import type { VideoObjectCalls } from './types.ts'
import { DAY_MS, HOUR_MS } from '../kernel/durations.ts'

/** After this time without an upload, the video minutes that were reserved for it are released. */
const UPLOAD_MS_MAX = DAY_MS
/** A video that Stream has not finished after this time counts as failed. */
const PROCESSING_MS_MAX = 3 * DAY_MS
/** How long minutes stay reserved when Stream reports nothing about the video. */
export const RESERVATION_MS = PROCESSING_MS_MAX + HOUR_MS
/** The shortest time between two reads from Stream, however often a page asks. */
const READ_INTERVAL_MS = 2000
const VIDEOS_PER_ALARM = 20

type BudgetCall = <Kind extends 'settle' | 'release'>(kind: Kind, ask: BudgetCalls[Kind]['ask']) => unknown

interface VideoDeps {
  budget: BudgetCall
  /** Returns whether the person exists. Also returns false for a person who is being erased. */
  isThere: (userId: string) => boolean
  report: (error: unknown) => void
}

/** Returns the videos of the live app or of its preview. Live app and preview share the budget of production. */
export const createVideos = (parts: PartContext): ObjectVideos =>
  new ObjectVideos(parts, {
    // Only the directory object of production has the budget. In production this object is that directory object, so no RPC is needed.
    budget: (kind, ask) =>
      parts.tier === 'production'
        ? parts.budget[kind](ask)
        : directoryOf(parts.env.OBJECTS, 'production').budget(kind, ask),
    isThere: (id) => parts.users.find({ id }) !== null,
    report: parts.reporter('video'),
  })

/** The videos of the live app or of its preview. The state of the videos is read from Cloudflare Stream at growing intervals. */
export class ObjectVideos {
  readonly #parts: Pick<RunnerDeps, 'ctx' | 'env' | 'hold' | 'alarms'>
  readonly #store: VideoStore
  readonly #deps: VideoDeps

  constructor(parts: Pick<RunnerDeps, 'ctx' | 'env' | 'hold' | 'alarms'>, outside: VideoDeps) {
    this.#parts = parts
    this.#store = new VideoStore(parts.ctx.storage)
    this.#deps = outside
  }

  get #streamAccount(): Stream {
    return streamOf(this.#parts.env)
  }

  /** Returns an `ApiError` as a value, because an error that is thrown across RPC loses its code. */
  async answer<Kind extends keyof VideoObjectCalls>(
    kind: Kind,
    ask: VideoObjectCalls[Kind]['ask'],
  ): Promise<ResultOf<VideoObjectCalls, Kind>> {
    return await asResult(() => this.#handlers[kind](ask))
  }

  readonly #handlers: AsyncHandlersOf<VideoObjectCalls> = {
    add: (video) => {
      this.#parts.hold.require()
      if (!this.#deps.isThere(video.userId)) return false
      this.#store.add(video, Date.now())
      this.#setAlarm()
      return true
    },
    list: ({ userId, limit }) => this.#store.list(userId, limit).map(toOwnedVideo),
    get: async ({ id }) => {
      const known = this.#store.find(id)
      const isStale =
        known !== null && known.next_at !== null && known.checked_at < Date.now() - READ_INTERVAL_MS
      if (isStale) await this.#checkVideo(known).catch(() => {})
      const video = isStale ? this.#store.find(id) : known
      return video === null ? null : toOwnedVideo(video)
    },
    waiting: ({ userId }) => this.#store.count(userId, 'pending'),
    count: ({ userId }) => this.#store.count(userId),
    remove: ({ id }) => this.#deleteVideo(this.#store.find(id)),
    removeOf: async ({ userId }) => {
      for (const video of this.#store.list(userId, this.#store.count(userId))) await this.#deleteVideo(video)
    },
  }

  async wake(): Promise<void> {
    const now = Date.now()
    if (this.#parts.hold.isHeld) return this.#parts.alarms.set('videos', now + RECHECK_MS)
    for (const video of this.#store.due(now, VIDEOS_PER_ALARM))
      try {
        await this.#checkVideo(video)
      } catch (error) {
        const { id, status, checks } = video
        this.#store.checked(id, { status, checks: checks + 1, nextAt: nextCheckAt(checks + 1, now) }, now)
        this.#deps.report(error)
      }
    this.#setAlarm()
  }

  #setAlarm(): void {
    const at = this.#store.nextAt()
    if (at !== null) this.#parts.alarms.set('videos', at)
  }

  /** Can be repeated safely: the budget counts a reservation once, and the state is stored last. */
  async #checkVideo(video: StoredVideo): Promise<void> {
    const found = await detailsOf(this.#streamAccount, video.id)
    const now = Date.now()
    if (found === null) return await this.#forgetVideo(video)
    const { id, reservation, created_at, checks } = video
    const age = now - created_at
    const { state } = found.status
    if (state === 'ready') {
      const minutes = Math.max(1, Math.ceil(found.duration / 60))
      await this.#deps.budget('settle', { id: reservation, amount: minutes })
      return this.#store.ready(id, { seconds: Math.max(0, found.duration), poster: found.thumbnail }, now)
    }
    if (state === 'pendingupload' && age >= UPLOAD_MS_MAX) return await this.#deleteVideo(video)
    if (state === 'error' || age >= PROCESSING_MS_MAX) {
      await this.#deps.budget('release', { id: reservation })
      return this.#store.checked(id, { status: 'error', checks, nextAt: null }, now)
    }
    const status = state === 'pendingupload' ? 'pending' : 'processing'
    this.#store.checked(id, { status, checks: checks + 1, nextAt: nextCheckAt(checks + 1, now) }, now)
  }

  /** Deletes a video at Stream before its row, so that an interruption leaves no video at Stream that has no row. */
  async #deleteVideo(video: StoredVideo | null): Promise<void> {
    if (video === null) return
    this.#parts.hold.require()
    await deleteFromStream(this.#streamAccount, video.id)
    await this.#forgetVideo(video)
  }

  /**
   * Deletes the row. Releases the reserved minutes unless the video was ready, because the budget has counted the minutes of a ready video.
   */
  async #forgetVideo({ id, reservation }: StoredVideo): Promise<void> {
    await this.#deps.budget('release', { id: reservation })
    this.#store.remove(id)
  }
}
