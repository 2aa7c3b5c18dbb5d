import type { Db } from '../../db/database.ts'
import type { Listener } from '../../db/listener.ts'
import { readRunEvents } from './events.ts'
import { StoredFrames } from './stored-frames.ts'

const PAGE_ROWS = 1000
const BUFFER_BYTES_MAX = 1024 * 1024

interface RunWatch {
  readonly runId: string
  /** The highest frame number that was passed to the followers that are fed by the hub (see `Follower`). */
  last: number
  followers: Set<Follower>
  reading: boolean
  /** The highest frame number that a notification has named so far. */
  wanted: number
  /** Set to read again even if no number is missing: the run's state may have changed, or a notification was lost. */
  recheck: boolean
}

/**
 * Delivers the frames of runs to any number of followers in this process. New frames are read once and shared by all of them. A follower
 * that is new or slow, or that missed frames, reads the table itself until it has caught up.
 */
export class RunEventHub {
  readonly #db: Db
  readonly #watches = new Map<string, RunWatch>()
  readonly #unlisten: () => void

  constructor(db: Db, listener: Listener) {
    this.#db = db
    this.#unlisten = listener.on('run_events', (payload) => this.#onNotification(payload))
  }

  /** Stops listening. Followers are closed by their owners. */
  close(): void {
    this.#unlisten()
  }

  /** Returns a follower that delivers every frame after `after`, in order, each once. The caller must close it. */
  follow(runId: string, after: number): Follower {
    const watch = this.#watchOf(runId)
    const leave = () => {
      watch.followers.delete(follower)
      if (watch.followers.size === 0 && this.#watches.get(runId) === watch) this.#watches.delete(runId)
    }
    const follower = new Follower({ db: this.#db, watch, leave }, after)
    watch.followers.add(follower)
    return follower
  }

  #watchOf(runId: string): RunWatch {
    let watch = this.#watches.get(runId)
    if (watch === undefined) {
      watch = { runId, last: 0, followers: new Set(), reading: false, wanted: 0, recheck: false }
      this.#watches.set(runId, watch)
    }
    return watch
  }

  #onNotification(payload: string): void {
    const colon = payload.lastIndexOf(':')
    const seq = Number(payload.slice(colon + 1))
    // An empty payload means that notifications may have been lost, so every run may have new frames.
    const named = this.#watches.get(payload.slice(0, colon))
    const watches = payload === '' ? [...this.#watches.values()] : named === undefined ? [] : [named]
    for (const watch of watches) {
      watch.wanted = Math.max(watch.wanted, seq)
      if (seq === 0) watch.recheck = true
      void this.#readNews(watch)
    }
  }

  async #readNews(watch: RunWatch): Promise<void> {
    if (watch.reading) return
    watch.reading = true
    try {
      while (watch.recheck || watch.wanted > watch.last) {
        // Do not read when no follower is fed (see `Follower`): followers that are behind read the table themselves.
        if (!hasFedFollower(watch)) return
        const { recheck } = watch
        watch.recheck = false
        const events = await readRunEvents(this.#db, watch.runId, watch.last, PAGE_ROWS)
        // Select the followers after the read, to include a follower that became fed during the read. Its own last read of
        // the table may have missed these frames.
        const fed = [...watch.followers].filter(isFed)
        if (events.length > 0) {
          const frames = new StoredFrames(watch.runId, events)
          for (const follower of fed) follower.offer(frames)
        }
        watch.last = events.at(-1)?.seq ?? Math.max(watch.last, watch.wanted)
        // A notification announced frames that do not exist, because the run was deleted with its project.
        if (recheck || events.length === 0) for (const follower of fed) follower.fallBehind()
      }
    } catch {
      // The database is unavailable. Each follower then reads the table itself, so the error ends its stream.
      for (const follower of watch.followers) follower.fallBehind()
    } finally {
      watch.reading = false
    }
  }
}

class Follower {
  readonly #db: Db
  readonly #watch: RunWatch
  readonly #leave: () => void
  /** `behind`: reads the table itself. `bridging`: is fed, and reads the table one last time. `live`: is fed. */
  #state: 'behind' | 'bridging' | 'live' = 'behind'
  #seenSeq: number
  #hasEnded = false
  #buffer: StoredFrames[] = []
  #bufferedBytes = 0
  #wake: (() => void) | null = null

  constructor(source: { db: Db; watch: RunWatch; leave: () => void }, seen: number) {
    this.#db = source.db
    this.#watch = source.watch
    this.#leave = source.leave
    this.#seenSeq = seen
  }

  /**
   * Returns the next frames. Returns null when there are none yet or `wake` was called; the caller then calls it again.
   * Returns `ended` after a terminal frame, and when the run is settled and all stored frames were delivered. A run
   * that another run continues has no terminal frame.
   */
  async next(): Promise<StoredFrames | null | 'ended'> {
    if (this.#hasEnded) return 'ended'
    if (this.#state !== 'live') return this.#catchUp()
    if (this.#buffer.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve))
    const offered = this.#buffer.shift()
    if (offered === undefined) return null
    this.#bufferedBytes -= offered.size
    // A number that was seen already is a duplicate; a gap means that frames were missed.
    const frames = offered.after(this.#seenSeq)
    if (frames !== null && frames.firstSeq > this.#seenSeq + 1) {
      this.fallBehind()
      return null
    }
    return this.#deliver(frames)
  }

  /** Makes a waiting `next` return null. */
  wake(): void {
    this.#wake?.()
    this.#wake = null
  }

  close(): void {
    this.#leave()
    this.wake()
  }

  get isFed(): boolean {
    return this.#state !== 'behind'
  }

  /** Adds frames to the buffer of a fed follower. Any other follower reads the table instead. */
  offer(frames: StoredFrames): void {
    if (!this.isFed) return
    this.#bufferedBytes += frames.size
    if (this.#bufferedBytes > BUFFER_BYTES_MAX) return this.fallBehind()
    this.#buffer.push(frames)
    this.wake()
  }

  /** Drops the buffer. The follower then reads its frames from the table, as fast as its client receives them. */
  fallBehind(): void {
    this.#state = 'behind'
    this.#buffer = []
    this.#bufferedBytes = 0
    this.wake()
  }

  #deliver(frames: StoredFrames | null): StoredFrames | null {
    if (frames === null) return null
    this.#seenSeq = frames.lastSeq
    this.#hasEnded = frames.isTerminal
    return frames
  }

  // Reads the table at the reader's own pace. Once it has reached the end, new frames are buffered and the table is read
  // one last time. Each frame is then in the last read, in the buffer, or in both. When the run may have ended
  // meanwhile, the table is read until no frames are left.
  async #catchUp(): Promise<StoredFrames | null | 'ended'> {
    const events = await this.#read()
    if (events.length === PAGE_ROWS) {
      this.fallBehind()
    } else if (this.#state === 'behind') {
      if (!hasFedFollower(this.#watch)) this.#watch.last = events.at(-1)?.seq ?? this.#seenSeq
      this.#state = 'bridging'
    } else if (events.length === 0 || !this.#watch.recheck) {
      this.#state = 'live'
      if (events.length === 0 && (await this.#isSettled())) {
        // Read again, because the last frames may have been stored after the first read.
        const rest = await this.#read()
        if (rest.length === 0) this.#hasEnded = true
        return rest.length === 0 ? 'ended' : this.#deliver(new StoredFrames(this.#watch.runId, rest))
      }
    }
    return events.length === 0 ? null : this.#deliver(new StoredFrames(this.#watch.runId, events))
  }

  #read() {
    return readRunEvents(this.#db, this.#watch.runId, this.#seenSeq, PAGE_ROWS)
  }

  async #isSettled(): Promise<boolean> {
    const run = await this.#db
      .selectFrom('runs')
      .select('status')
      .where('id', '=', this.#watch.runId)
      .executeTakeFirst()
    return run === undefined || (run.status !== 'queued' && run.status !== 'running')
  }
}

const isFed = (follower: Follower): boolean => follower.isFed

function hasFedFollower(watch: RunWatch): boolean {
  for (const follower of watch.followers) if (follower.isFed) return true
  return false
}
