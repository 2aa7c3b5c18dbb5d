import type { Trx } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import { appendRunEvents } from '../stream/events.ts'
import { generatedBy } from '../run-record.ts'

export const newRunColumns = () => ({
  attempt: 1,
  status: 'queued' as const,
  outcome: null,
  stage: 'model' as const,
  lease: 1,
  deaths: 0,
  heartbeat_at: null,
  sha: null,
  files: json([]),
  checks: json([]),
  questions: null,
  message: null,
  error: null,
  usage: json({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
  preview_url: null,
  last_seq: 0,
  started_at: null,
  finished_at: null,
  folded_at: null,
})

/** Appends the first frame of a run. It contains the number of the attempt, so that a client knows which attempt the stream shows. */
export async function openEvents(trx: Trx, run: RunRow, at: Date): Promise<void> {
  const frame = {
    type: 'run' as const,
    run: run.id,
    ticketId: run.ticket_id,
    attempt: run.attempt,
    trigger: run.trigger,
    model: run.model,
    generatedBy: generatedBy(run),
  }
  await appendRunEvents(trx, { id: run.id, lease: run.lease }, [frame], at)
}
