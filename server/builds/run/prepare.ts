import { materialTag } from '../../agent/prompts/material.ts'
import { type AppTree, ownFiles, starterTree } from '../../agent/source/tree.ts'
import { transact } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import type { PreparedInput, RunRow } from '../../db/tables/runs.ts'
import { readCommit, readRef, readTree, setRef, writeTree } from '../../git/store.ts'
import type { Core, PlatformPorts } from '../../platform.ts'
import type { ProjectRow } from '../../projects/store.ts'
import { buildInstructions, buildOpening } from './prompt.ts'
import { lockLeasedRun } from './lease.ts'
import { describeLiveUsage } from './live-app.ts'
import { draftRef } from './recorder.ts'
import { relatedWork } from './related-work.ts'
import type { BuildTicket } from '../../tickets/built-ticket.ts'

const RECENT_RUNS = 10

// After a failure of one of these kinds the next run starts from the files of the failed one.
const DRAFT_KEEPING_ENDS = new Set(['step_limit', 'time_limit', 'budget', 'context_limit', 'model_error'])

export interface PrepareInput {
  project: ProjectRow
  /** The ticket, then the tickets above it, nearest first. */
  tickets: [BuildTicket, ...BuildTicket[]]
  enabled: ReadonlySet<string>
  mayEnable: boolean
  isIngested: boolean
}

/** Prepares the first messages and the tree of a run once and stores them, so that later attempts send the same bytes to the model. */
export async function prepareRun(
  platform: PlatformPorts<'accounts'>,
  run: RunRow,
  input: PrepareInput,
): Promise<PreparedInput> {
  const { prepared: kept, ...given } = run.input
  const { previewErrors, files = [] } = given
  if (kept !== null) return kept
  const { project, enabled } = input
  const [ticket, ...ancestors] = input.tickets
  const { isIngested } = input
  const [base, last, recentPaths, around, live] = await Promise.all([
    baseTree(platform, run, project.name),
    lastRun(platform, run),
    readRecentPaths(platform, run),
    relatedWork(platform.db, run, { tag: materialTag(project.id), isIngested }),
    describeLiveUsage(platform, project, enabled),
  ])
  const draft = await draftTree(platform, run, last)
  const tree = draft === null ? base : await readTree(platform.db, run.project_id, draft)
  const { messages, shown } = buildOpening({
    projectId: project.id,
    projectName: project.name,
    tree,
    isNew: run.base_sha === null && draft === null,
    enabled: [...enabled].sort(),
    recentPaths,
    ticket,
    ancestors,
    around,
    live,
    lastRun: last === null ? null : describeRun(last, draft !== null),
    previewErrors,
    files,
    today: platform.clock.now().toISOString().slice(0, 10),
  })
  const instructions = buildInstructions(enabled, input.mayEnable)
  return transact(platform.db, async (trx) => {
    await lockLeasedRun(trx, run)
    const at = platform.clock.now()
    const oid = await writeTree(trx, run.project_id, base, at)
    // Keep the draft for the next run, even if this run changes nothing.
    if (draft !== null) await setRef(trx, run.project_id, { name: draftRef(run.id), to: draft, at })
    const prepared = { instructions, opening: messages, shown, base: oid, start: draft ?? oid }
    await trx
      .updateTable('runs')
      .set({ input: json({ prepared, ...given }) })
      .where('id', '=', run.id)
      .execute()
    // A run that continues one with questions already has the steps of the earlier run, which wrote no files. Main may have moved since,
    // so store the new tree with these steps.
    await trx.updateTable('run_steps').set({ tree: prepared.start }).where('run_id', '=', run.id).execute()
    return prepared
  })
}

async function baseTree(platform: Core, run: RunRow, name: string): Promise<AppTree> {
  if (run.base_sha === null) return starterTree(name)
  const { tree } = await readCommit(platform.db, run.project_id, run.base_sha)
  return ownFiles(await readTree(platform.db, run.project_id, tree))
}

/** Returns the ticket's previous run; null for the ticket's first run. The run that `run` continues does not count. */
async function lastRun(platform: Core, run: RunRow): Promise<RunRow | null> {
  const row = await platform.db
    .selectFrom('runs')
    .selectAll()
    .where('org_id', '=', run.org_id)
    .where('ticket_id', '=', run.ticket_id)
    .where('id', '<', run.id)
    .where('id', '!=', run.resumed_from ?? '')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Returns the tree of the last run if it failed. Null when main has moved since, or when this kind of failure leaves no useful files. */
async function draftTree(platform: Core, run: RunRow, last: RunRow | null): Promise<string | null> {
  if (last === null || last.status !== 'failed' || last.base_sha !== run.base_sha) return null
  if (!DRAFT_KEEPING_ENDS.has(last.error?.kind ?? '')) return null
  return readRef(platform.db, run.project_id, draftRef(last.id))
}

function describeRun(run: RunRow, isDraft: boolean): string {
  if (run.error !== null) {
    const start = isDraft ? ' The files are as it left them.' : ''
    return `The last build of this ticket failed (${run.error.kind}): ${run.error.message}${start}`
  }
  if (run.status === 'cancelled') return 'The last build of this ticket was cancelled.'
  return `The last build of this ticket ended with: ${run.message ?? 'no message'}`
}

/** Returns recently changed paths, newest first. When not all files fit into the prompt, these are shown first. */
async function readRecentPaths(platform: Core, run: RunRow): Promise<string[]> {
  const rows = await platform.db
    .selectFrom('runs')
    .select('files')
    .where('org_id', '=', run.org_id)
    .where('project_id', '=', run.project_id)
    .where('outcome', '=', 'built')
    .orderBy('created_at', 'desc')
    .limit(RECENT_RUNS)
    .execute()
  const paths = rows.flatMap((row) => row.files.map((file) => file.path))
  return [...new Set(paths)]
}
