import { DeltaFrame, type SnapshotFrame } from '../../agent/frames.ts'
import { transact, type Trx } from '../../db/database.ts'
import { parseJson } from '../../lib/json.ts'
import type { Core } from '../../platform.ts'
import type { ScheduledTask } from '../../scheduled-task.ts'
import { endsStream, readRunEvents, type RunEvent, SEQ_MAX } from './events.ts'
import { presentRun, SHOWN_COLUMNS, type ShownRun } from '../run-record.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

const FRAME_RETENTION_MS = 30 * DAY_MS
const RUNS_PER_ROUND = 100
const TEXT_CHARS_MAX = 64_000

/**
 * Replaces the frames of each run that is over 30 days old by one snapshot, so that a late reader still learns how the run ended. The
 * schedule stores the name of this task, so the name must not change.
 */
export const compactRunEvents: ScheduledTask = {
  name: 'fold-run-events',
  every: 'night',
  run: async (platform, signal) => {
    for (;;) {
      const runs = await listOldRuns(platform)
      for (const run of runs) {
        if (signal.aborted) return
        await transact(platform.db, (trx) => compactRun(platform, trx, run))
      }
      if (runs.length < RUNS_PER_ROUND) return
    }
  },
}

async function listOldRuns({ db, clock }: Core): Promise<ShownRun[]> {
  const cutoff = new Date(clock.now().getTime() - FRAME_RETENTION_MS)
  return db
    .selectFrom('runs')
    .select(SHOWN_COLUMNS)
    .where('folded_at', 'is', null)
    .where('created_at', '<', cutoff)
    .where('status', 'not in', ['queued', 'running'])
    .orderBy('created_at')
    .limit(RUNS_PER_ROUND)
    .execute()
}

/** Replaces the frames of a run by a snapshot, except the `done` or `error` that ends its stream. */
async function compactRun({ clock, log }: Core, trx: Trx, run: ShownRun): Promise<void> {
  const at = clock.now()
  const events = await readRunEvents(trx, run.id, 0, SEQ_MAX)
  const last = events.at(-1)
  const compacted = last !== undefined && endsStream(last) ? events.slice(0, -1) : events
  const end = compacted.at(-1)
  if (end !== undefined) {
    const { text, unreadable } = textOfSteps(compacted)
    if (unreadable > 0) {
      log.error({ run: run.id, unreadable }, 'stored frames of a build could not be read and were removed')
    }
    const snapshot = snapshotOf(run, end.seq, text)
    await trx.deleteFrom('run_events').where('run_id', '=', run.id).where('seq', '<=', end.seq).execute()
    await trx
      .insertInto('run_events')
      .values({ run_id: run.id, seq: end.seq, type: snapshot.type, body: JSON.stringify(snapshot), at })
      .execute()
  }
  await trx
    .updateTable('runs')
    .set({ folded_at: at })
    .where('org_id', '=', run.org_id)
    .where('id', '=', run.id)
    .execute()
}

/** The snapshot takes the number of the last frame it replaces, so that a reader continues after it. */
function snapshotOf(run: ShownRun, seq: number, text: string): SnapshotFrame {
  const record = presentRun(run)
  return {
    type: 'snapshot',
    run: run.id,
    seq,
    text: text.slice(-TEXT_CHARS_MAX),
    files: record.files,
    checks: record.checks,
    usage: record.usage,
  }
}

/**
 * Returns a paragraph per step, without the text of failed attempts that were repeated. Leaves out frames that cannot be parsed and
 * returns their number. If one damaged row threw an error, this run and all later runs would stay uncompacted every night.
 */
function textOfSteps(events: RunEvent[]): { text: string; unreadable: number } {
  const steps: string[] = ['']
  let unreadable = 0
  for (const { type, body } of events) {
    if (type === 'step') steps.push('')
    if (type === 'retry') steps[steps.length - 1] = ''
    if (type !== 'delta') continue
    const frame = DeltaFrame.safeParse(parseJson(body))
    if (frame.success) steps[steps.length - 1] += frame.data.text ?? ''
    else unreadable++
  }
  const paragraphs = steps.map((text) => text.trim()).filter((text) => text !== '')
  return { text: paragraphs.join('\n\n'), unreadable }
}
