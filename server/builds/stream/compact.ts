import { sql } from 'kysely'
import type { BuildFrame, SnapshotFrame } from '../../agent/frames.ts'
import { transact, type Trx } from '../../db/database.ts'
import type { RunsTable } from '../../db/tables/runs.ts'
import type { Platform } from '../../platform.ts'
import type { ScheduledTask } from '../../schedule/task.ts'
import { readRunEvents, type RunEvent, SEQ_MAX } from './events.ts'
import { presentRun } from '../run-record.ts'

const KEPT_MS = 30 * 86_400_000
const RUNS_PER_TURN = 100
const TEXT_CHARS_MAX = 64_000

/** Frames of runs over 30 days old become one snapshot each; who reconnects still learns how it ended. */
export const compactRunEvents: ScheduledTask = {
  name: 'fold-run-events',
  every: 'night',
  run: async (platform, signal) => {
    for (;;) {
      const runs = await oldRuns(platform)
      for (const run of runs) {
        if (signal.aborted) return
        await transact(platform.db, (trx) => foldRun(trx, run, platform.clock.now()))
      }
      if (runs.length < RUNS_PER_TURN) return
    }
  },
}

async function oldRuns(platform: Platform): Promise<RunsTable[]> {
  const cutoff = new Date(platform.clock.now().getTime() - KEPT_MS)
  const { rows } = await sql<RunsTable>`
    select * from runs
    where folded_at is null and created_at < ${cutoff} and status not in ('queued', 'running')
    order by created_at limit ${RUNS_PER_TURN}`.execute(platform.db)
  return rows
}

/** Replaces the frames before the last one; the `done` or `error` that ends a stream stays as it was sent. */
async function foldRun(trx: Trx, run: RunsTable, at: Date): Promise<void> {
  const events = await readRunEvents(trx, run.id, 0, SEQ_MAX)
  const last = events.at(-1)
  const folded = last !== undefined && endsStream(last) ? events.slice(0, -1) : events
  const end = folded.at(-1)
  if (end !== undefined) {
    const body = JSON.stringify(snapshotOf(run, end.seq, folded))
    await trx.deleteFrom('run_events').where('run_id', '=', run.id).where('seq', '<=', end.seq).execute()
    await trx.insertInto('run_events').values({ run_id: run.id, seq: end.seq, body, at }).execute()
  }
  await trx
    .updateTable('runs')
    .set({ folded_at: at })
    .where('org_id', '=', run.org_id)
    .where('id', '=', run.id)
    .execute()
}

function endsStream(event: RunEvent): boolean {
  const { type } = JSON.parse(event.body) as BuildFrame
  return type === 'done' || type === 'error'
}

/** What was said, changed, checked and spent up to a number. */
function snapshotOf(run: RunsTable, seq: number, events: RunEvent[]): SnapshotFrame {
  const record = presentRun(run)
  return {
    type: 'snapshot',
    run: run.id,
    seq,
    text: textOf(events).slice(-TEXT_CHARS_MAX),
    files: record.files,
    checks: record.checks,
    usage: record.usage,
  }
}

/** The agent's words, a paragraph per step; what was said in a try that failed is no part of them. */
function textOf(events: RunEvent[]): string {
  const steps: string[] = ['']
  for (const event of events) {
    const frame = JSON.parse(event.body) as BuildFrame
    if (frame.type === 'step') steps.push('')
    if (frame.type === 'retry') steps[steps.length - 1] = ''
    if (frame.type === 'delta') steps[steps.length - 1] += frame.text ?? ''
  }
  return steps
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n')
}
