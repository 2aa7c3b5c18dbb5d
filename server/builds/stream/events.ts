import { sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'

/** The largest value of the `integer` column. */
export const SEQ_MAX = 2 ** 31 - 1

/** One stored frame of a run; `body` is its JSON text, with `seq` inside, sent to every reader as it is. */
export interface RunEvent {
  seq: number
  type: string
  body: string
}

/** `type` is also stored in a separate column, so that a query need not parse the JSON. */
export interface NewFrame {
  type: string
  [field: string]: unknown
}

export const endsStream = ({ type }: RunEvent): boolean => type === 'done' || type === 'error'

/** Thrown when another process has taken the run over or the run was settled. The old process must write nothing more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/**
 * Appends frames to a run and notifies every process, in one statement. Returns the frames' numbers. The numbers have no gap, because
 * the row lock orders writers. Throws `LeaseLostError`. Pass many frames at once, because transactions that notify commit one at a
 * time.
 */
export async function appendRunEvents(
  db: Db | Trx,
  run: { id: string; lease: number },
  frames: readonly NewFrame[],
  at: Date,
): Promise<number[]> {
  if (frames.length === 0) return []
  const types = frames.map(({ type }) => type)
  const tails = frames.map(frameTail)
  const { rows } = await sql<{ base: number }>`
    with run as (
      update runs set last_seq = last_seq + ${frames.length}::int
      where id = ${run.id} and lease = ${run.lease}
      returning last_seq - ${frames.length}::int as base
    ), added as (
      insert into run_events (run_id, seq, type, body, at)
      select ${run.id}, base + n, type, '{"seq":' || (base + n) || tail, ${at}
      from run, unnest(${types}::text[], ${tails}::text[]) with ordinality as frame (type, tail, n)
    )
    select base, pg_notify('run_events', ${run.id} || ':' || (base + ${frames.length}::int)) from run
  `.execute(db)
  const base = rows[0]?.base
  if (base === undefined) throw new LeaseLostError(`run ${run.id} no longer has lease ${run.lease}`)
  return frames.map((_, index) => base + index + 1)
}

// Returns the JSON of a frame without its opening brace, which the statement replaces by the brace and the number.
const frameTail = (frame: NewFrame): string => `,${JSON.stringify(frame).slice(1)}`

/** Wakes the readers of a run that ended without a terminal frame, because another run continues it. */
export async function releaseRunReaders(trx: Db | Trx, runId: string): Promise<void> {
  await sql`select pg_notify('run_events', ${runId} || ':0')`.execute(trx)
}

export async function readRunEvents(
  db: Db | Trx,
  runId: string,
  after: number,
  limit: number,
): Promise<RunEvent[]> {
  return db
    .selectFrom('run_events')
    .select(['seq', 'type', 'body'])
    .where('run_id', '=', runId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
}
