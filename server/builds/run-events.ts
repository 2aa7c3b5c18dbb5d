import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'

/** The largest number the table has room for. */
export const SEQ_MAX = 2 ** 31 - 1

/** One stored frame of a run; `body` is its JSON text, with `seq` inside, sent to every reader as it is. */
export interface RunEvent {
  seq: number
  body: string
}

/** The run was taken over by another process: whoever gets this stops, and writes nothing more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/**
 * Adds frames to a run and tells every process, in one statement. The row lock orders writers, so the numbers
 * have no gap; answers them. Batch what belongs together: transactions that notify commit one after another.
 */
export async function appendRunEvents(
  db: Db | Trx,
  run: { id: string; lease: number },
  frames: object[],
  at: Date,
): Promise<number[]> {
  if (frames.length === 0) return []
  const tails = frames.map((frame) => tailOf(frame))
  const { rows } = await sql<{ base: number }>`
    with run as (
      update runs set last_seq = last_seq + ${frames.length}::int
      where id = ${run.id} and lease = ${run.lease}
      returning last_seq - ${frames.length}::int as base
    ), added as (
      insert into run_events (run_id, seq, body, at)
      select ${run.id}, base + n, '{"seq":' || (base + n) || tail, ${at}
      from run, unnest(${tails}::text[]) with ordinality as frame (tail, n)
    )
    select base, pg_notify('run_events', ${run.id} || ':' || (base + ${frames.length}::int)) from run
  `.execute(db)
  const base = rows[0]?.base
  if (base === undefined) throw new LeaseLost(`run ${run.id} no longer has lease ${run.lease}`)
  return frames.map((_, index) => base + index + 1)
}

// The frame's text without its opening brace: the statement that knows the number puts it in front.
function tailOf(frame: object): string {
  const text = JSON.stringify(frame)
  return text === '{}' ? '}' : `,${text.slice(1)}`
}

/** Wakes the readers of a run that ended without a terminal frame, because another run continues it. */
export async function releaseRunReaders(trx: Db | Trx, runId: string): Promise<void> {
  await sql`select pg_notify('run_events', ${runId} || ':0')`.execute(trx)
}

/** The stored frames after a number, oldest first. */
export async function readRunEvents(
  db: Db | Trx,
  runId: string,
  after: number,
  limit: number,
): Promise<RunEvent[]> {
  return db
    .selectFrom('run_events')
    .select(['seq', 'body'])
    .where('run_id', '=', runId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

const PAGE_ROWS = 500
const BUFFER_BYTES_MAX = 1024 * 1024

interface Watch {
  /** The last number handed to the readers that are fed. */
  last: number
  readers: Set<Reader>
  reading: boolean
  /** The highest number there was news of. */
  wanted: number
  /** Look again although no number is missing: the run's state may have changed, or news was lost. */
  recheck: boolean
}

/**
 * Hands the frames of runs to any number of readers in this process. News of a run is read once and the same
 * text goes to all of them; a reader that is new, slow or missed something reads the table itself meanwhile.
 */
export class RunEventHub {
  readonly #db: Db
  readonly #watches = new Map<string, Watch>()
  readonly #unlisten: () => void

  constructor(db: Db, listener: Listener) {
    this.#db = db
    this.#unlisten = listener.on('run_events', (payload) => this.#onNews(payload))
  }

  /** Ends the hub's interest in notifications; its readers end with their own signals. */
  close(): void {
    this.#unlisten()
  }

  /**
   * Every frame after `after`, in order, each once. Ends after a terminal frame, when the signal aborts, or when
   * the run is settled and all it has stored was delivered (a run that another one continues has no terminal frame).
   */
  async *follow(
    runId: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent, void, undefined> {
    const reader = new Reader(after)
    const watch = this.#join(runId, reader)
    const onAbort = () => reader.wake()
    signal.addEventListener('abort', onAbort)
    try {
      while (!signal.aborted) {
        const isLive = reader.state === 'live'
        const events = isLive ? await reader.take() : await this.#catchUp(runId, watch, reader)
        if (events === 'settled') return
        for (const event of events) {
          if (signal.aborted) return
          // A number already seen is a double; one too high means that something in between was missed.
          if (event.seq <= reader.seen) continue
          if (isLive && event.seq > reader.seen + 1) {
            reader.fallBehind()
            break
          }
          reader.seen = event.seq
          yield event
          if (isTerminal(event)) return
        }
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#leave(runId, watch, reader)
    }
  }

  // Reads the table at the reader's own pace. Once it has reached the end, what comes is buffered and the table is
  // read one last time: a frame is then in that read, in the buffer, or in both, however fast news comes.
  async #catchUp(runId: string, watch: Watch, reader: Reader): Promise<RunEvent[] | 'settled'> {
    const events = await readRunEvents(this.#db, runId, reader.seen, PAGE_ROWS)
    if (events.length === PAGE_ROWS) {
      reader.fallBehind()
    } else if (reader.state === 'behind') {
      if (![...watch.readers].some(isFed)) watch.last = events.at(-1)?.seq ?? reader.seen
      reader.state = 'bridging'
    } else {
      reader.state = 'live'
      if (events.length === 0 && (await this.#isSettled(runId))) {
        // Once more: the last frames may have been stored between the two questions.
        const rest = await readRunEvents(this.#db, runId, reader.seen, PAGE_ROWS)
        return rest.length > 0 ? rest : 'settled'
      }
    }
    return events
  }

  async #isSettled(runId: string): Promise<boolean> {
    const run = await this.#db.selectFrom('runs').select('status').where('id', '=', runId).executeTakeFirst()
    return run === undefined || (run.status !== 'queued' && run.status !== 'running')
  }

  #join(runId: string, reader: Reader): Watch {
    let watch = this.#watches.get(runId)
    if (watch === undefined) {
      watch = { last: 0, readers: new Set(), reading: false, wanted: 0, recheck: false }
      this.#watches.set(runId, watch)
    }
    watch.readers.add(reader)
    return watch
  }

  #leave(runId: string, watch: Watch, reader: Reader): void {
    watch.readers.delete(reader)
    if (watch.readers.size === 0 && this.#watches.get(runId) === watch) this.#watches.delete(runId)
  }

  #onNews(payload: string): void {
    const colon = payload.lastIndexOf(':')
    const seq = Number(payload.slice(colon + 1))
    // '' = notifications may have been lost: every run may have news.
    const watches = payload === '' ? [...this.#watches] : this.#named(payload.slice(0, colon))
    for (const [runId, watch] of watches) {
      watch.wanted = Math.max(watch.wanted, seq)
      if (seq === 0) watch.recheck = true
      void this.#readNews(runId, watch)
    }
  }

  #named(runId: string): [string, Watch][] {
    const watch = this.#watches.get(runId)
    return watch === undefined ? [] : [[runId, watch]]
  }

  async #readNews(runId: string, watch: Watch): Promise<void> {
    if (watch.reading) return
    watch.reading = true
    try {
      while (watch.recheck || watch.wanted > watch.last) {
        const { recheck } = watch
        watch.recheck = false
        if (![...watch.readers].some(isFed)) return
        const events = await readRunEvents(this.#db, runId, watch.last, PAGE_ROWS)
        // Asked after the read: a reader that began its last read meanwhile may not find these frames there.
        const fed = [...watch.readers].filter(isFed)
        for (const event of events) for (const reader of fed) reader.offer(event)
        watch.last = events.at(-1)?.seq ?? Math.max(watch.last, watch.wanted)
        if (recheck) for (const reader of fed) reader.fallBehind()
      }
    } catch {
      // The database is away: each reader tries for itself, and its stream ends with the error it meets.
      for (const reader of watch.readers) reader.fallBehind()
    } finally {
      watch.reading = false
    }
  }
}

/** One follower of one run. */
class Reader {
  seen: number
  /** `behind`: reads the table itself. `bridging`: fed, and reading the table for the last time. `live`: fed. */
  state: 'behind' | 'bridging' | 'live' = 'behind'
  #buffer: RunEvent[] = []
  #bytes = 0
  #wake: (() => void) | null = null

  constructor(seen: number) {
    this.seen = seen
  }

  offer(event: RunEvent): void {
    if (this.state === 'behind') return
    this.#bytes += event.body.length
    if (this.#bytes > BUFFER_BYTES_MAX) return this.fallBehind()
    this.#buffer.push(event)
    this.wake()
  }

  /** Drops what is buffered: the table has it, and is read at the reader's pace. */
  fallBehind(): void {
    this.state = 'behind'
    this.#buffer = []
    this.#bytes = 0
    this.wake()
  }

  /** What has come; waits while there is nothing. */
  async take(): Promise<RunEvent[]> {
    if (this.#buffer.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve))
    const events = this.#buffer
    this.#buffer = []
    this.#bytes = 0
    return events
  }

  wake(): void {
    this.#wake?.()
    this.#wake = null
  }
}

const isFed = (reader: Reader): boolean => reader.state !== 'behind'

function isTerminal(event: RunEvent): boolean {
  // The cheap test first: frames are many, and nearly none is terminal.
  if (!/"type":"(?:done|error)"/.test(event.body)) return false
  const { type } = JSON.parse(event.body) as { type: unknown }
  return type === 'done' || type === 'error'
}
