import { transact } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import { nextAttempt } from '../runs.ts'
import { renameRef } from '../../git/store.ts'
import { newId } from '../../lib/ids.ts'
import type { Core, PlatformPorts } from '../../platform.ts'
import type { PreviewPorts } from '../../releases/preview.ts'
import { newRunColumns, openEvents } from './new-run.ts'
import { releaseRunReaders } from '../stream/events.ts'
import { draftRef } from './recorder.ts'
import { publishRun, settleFailed } from './settle.ts'
import { copyTranscript } from './transcript.ts'

const DEATHS_MAX = 3

const GAVE_UP_FAILURE = {
  kind: 'interrupted' as const,
  message: 'The build was interrupted too often and was given up.',
}

/** Runs of this process that lost their database. Their jobs are retried even if no process died. */
const reportedOutages = new Set<string>()

/** Records that this process lost the database of a run. Otherwise the takeover would count as a death of the process. */
export function recordDatabaseLoss(runId: string): void {
  reportedOutages.add(runId)
}

/**
 * Returns the run that a job has to execute: the run named in the job, or the last attempt that continues that run.
 * Null when the run to execute is settled.
 */
export async function findRunToExecute(
  platform: PlatformPorts<PreviewPorts | 'metrics'>,
  runId: string,
  signal: AbortSignal,
): Promise<RunRow | null> {
  const last = await lastOfChain(platform, runId)
  if (last === null) return null
  if (last.status === 'queued') return last
  // This process holds the run's job, so the process that marked the run as `running` has ended.
  if (last.status === 'running') return continueRun(platform, last, signal)
  return null
}

/** Returns the last attempt of a run: follows the runs that took over from each other. Null when the run does not exist. */
async function lastOfChain(platform: Pick<Core, 'db'>, runId: string): Promise<RunRow | null> {
  let row = await platform.db.selectFrom('runs').selectAll().where('id', '=', runId).executeTakeFirst()
  while (row !== undefined) {
    const next = await nextAttempt(platform, row)
    if (next === null) return row
    row = next
  }
  return null
}

/**
 * Takes over a run whose process died: closes the old row as interrupted and opens a new one that continues after the
 * last complete step. Increments the lease number of the old row first, so that a process that was only suspended can no
 * longer write to the run.
 */
async function continueRun(
  platform: PlatformPorts<PreviewPorts | 'metrics'>,
  old: RunRow,
  signal: AbortSignal,
): Promise<RunRow | null> {
  const fenced = await fenceRun(platform, old)
  if (fenced === null) return null
  // A process that was stopped has cleared the heartbeat; a process that died has not.
  const died = !reportedOutages.delete(old.id) && old.heartbeat_at !== null
  const deaths = fenced.deaths + (died ? 1 : 0)
  if (deaths >= DEATHS_MAX) {
    await settleAbandoned(platform, fenced, signal)
    return null
  }
  return transact(platform.db, async (trx) => {
    const at = platform.clock.now()
    await trx
      .updateTable('runs')
      .set({
        status: 'failed',
        error: json({
          kind: 'interrupted',
          message: 'The service restarted; the build continues in a new run.',
        }),
        finished_at: at,
      })
      .where('id', '=', fenced.id)
      .where('org_id', '=', fenced.org_id)
      .execute()
    const next = await trx
      .insertInto('runs')
      .values({
        ...fenced,
        ...newRunColumns(),
        id: newId('run'),
        attempt: fenced.attempt + 1,
        deaths,
        resumed_from: fenced.id,
        limits: json(fenced.limits),
        input: json(fenced.input),
        // A run that has committed keeps its commit, so that only publishing is repeated.
        stage: fenced.stage,
        sha: fenced.sha,
        files: json(fenced.files),
        checks: json(fenced.checks),
        message: fenced.message,
        usage: json(fenced.usage),
        created_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await copyTranscript(trx, fenced.id, next.id)
    await renameRef(trx, fenced.project_id, draftRef(fenced.id), draftRef(next.id))
    await openEvents(trx, next, at)
    await releaseRunReaders(trx, fenced.id)
    return next
  })
}

async function fenceRun(platform: Core, old: RunRow): Promise<RunRow | null> {
  const row = await platform.db
    .updateTable('runs')
    .set((eb) => ({ lease: eb('lease', '+', 1) }))
    .where('id', '=', old.id)
    .where('lease', '=', old.lease)
    .where('status', '=', 'running')
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Settles a run that is not attempted again. A run whose commit reached main counts as built. */
async function settleAbandoned(
  platform: PlatformPorts<PreviewPorts | 'metrics'>,
  run: RunRow,
  signal: AbortSignal,
): Promise<void> {
  if (run.stage === 'publishing' && run.sha !== null) await publishRun(platform, run, signal)
  else await settleFailed(platform, run, GAVE_UP_FAILURE)
}

/** Settles the run of a job that is not retried any more, so that its project can build again. */
export async function abandonRun(
  platform: PlatformPorts<PreviewPorts | 'metrics'>,
  runId: string,
): Promise<void> {
  const last = await lastOfChain(platform, runId)
  if (last === null || (last.status !== 'queued' && last.status !== 'running')) return
  const fenced = last.status === 'running' ? await fenceRun(platform, last) : last
  // This function gets no signal, so pass one that is never aborted.
  if (fenced !== null) await settleAbandoned(platform, fenced, new AbortController().signal)
}
