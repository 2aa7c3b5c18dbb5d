import * as z from 'zod'
import { readConnection } from '../connections/connections.ts'
import { transact, type Trx } from '../db/database.ts'
import { listResources } from '../resources/list.ts'
import { attachDomainAtShip } from '../domain/attach.ts'
import { detachDomain } from '../domain/detach.ts'
import { readDomainAttachment } from '../domain/domains.ts'
import { recordActivity } from '../activity/log.ts'
import { ApiError } from '../http/errors.ts'
import { defineJob } from '../jobs/jobs.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Core, PlatformPorts, Ports } from '../platform.ts'
import { previewKind } from '../deployments/job-kinds.ts'
import { tearDownIn } from '../resources/teardown.ts'
import type { ScheduledTask } from '../scheduled-task.ts'
import { releaseHold } from './copy-project-data.ts'
import { cancelMove, changeMove, endMove, listUnsettledMoves, type Move, readMove } from '../moves/moves.ts'
import { changeProject, findProject } from '../projects/store.ts'

const CALL_MS = 240_000
const JOB_MS_MAX = 300_000

/**
 * Removes the resources that a moved project has left in its former account. A resource that cannot be removed is listed in the move and
 * retried every minute (`settleMoves`).
 */
export const leaveHostingJob = defineJob({
  name: 'leave-hosting',
  data: z.object({ orgId: z.string(), projectId: z.string() }),
  policy: 'key_strict_fifo',
  key: (data) => data.projectId,
  retryLimit: 5,
  expireSeconds: 300,
  concurrency: 2,
  run: async (platform: PlatformPorts<'accounts' | 'buckets' | 'widgets'>, { data, signal }) => {
    const move = await readMove(platform.db, { id: data.projectId, org_id: data.orgId })
    if (move?.state === 'removing') await removeOrStoreReason(platform, move, signal)
  },
})

/** Call it in the transaction that makes the new app live. From then on the former account serves nothing. */
export async function finishMove(
  platform: Pick<Ports, 'jobs'>,
  trx: Trx,
  move: Move,
  to: { accountId: string; at: Date },
): Promise<void> {
  const { org_id: orgId, project_id: projectId, from_account: from } = move
  const { accountId, at } = to
  // Attachments and assets are in the new account under the same keys.
  for (const table of ['attachments', 'assets'] as const)
    await trx
      .updateTable(table as 'assets')
      .set({ account_id: accountId })
      .where('org_id', '=', orgId)
      .where('project_id', '=', projectId)
      .where('account_id', '=', from)
      .execute()
  await changeProject(trx, { orgId, projectId }, { preview_url: null, preview_sha: null })
  await changeMove(trx, move, { state: 'removing', updated_at: at })
  await platform.jobs.send(trx, leaveHostingJob, { orgId, projectId })
  await platform.jobs.send(trx, previewKind, { orgId, projectId })
}

/**
 * Removes what the project has left behind. When a provider refuses, stores the reason in the move for the next
 * attempt.
 */
async function removeOrStoreReason(
  platform: PlatformPorts<'accounts' | 'buckets' | 'widgets'>,
  move: Move,
  signal: AbortSignal,
): Promise<void> {
  try {
    await removeHosting(platform, move, signal)
  } catch (error) {
    if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
    await changeMove(platform.db, move, { problem: error.message, updated_at: platform.clock.now() })
  }
}

async function removeHosting(
  platform: PlatformPorts<'accounts' | 'buckets' | 'widgets'>,
  move: Move,
  stop: AbortSignal,
): Promise<void> {
  const project = await findProject(platform.db, { orgId: move.org_id, projectId: move.project_id })
  if (project === null) return
  const signal = AbortSignal.any([stop, AbortSignal.timeout(CALL_MS)])
  const left = async () =>
    (await listResources(platform.db, project)).filter((row) => row.account_id === move.from_account)
  const by = { actor: 'slipway', signal }
  const use = { orgId: project.org_id, project, ...by }
  if ((await readDomainAttachment(platform.db, project))?.account_id === move.from_account) {
    const from = await platform.accounts.openCloud({ ...use, accountId: move.from_account })
    await detachDomain(platform, from, project)
  }
  const { failed } = await tearDownIn(platform, project, await left(), by)
  const updated_at = platform.clock.now()
  if ((await left()).length > 0) {
    const problem = failed[0]?.reason ?? 'There was no time left.'
    return await changeMove(platform.db, move, { problem, updated_at })
  }
  // The custom host name can route to only one account, so it is attached in the new account only now, after it was detached in the former
  // one.
  if (project.lifecycle === 'live') {
    await attachDomainAtShip(platform, await platform.accounts.openCloud(use), project, signal)
  }
  await transact(platform.db, async (trx) => {
    if (!(await endMove(trx, move))) return
    await recordActivity(trx, {
      orgId: project.org_id,
      at: updated_at,
      provider: 'slipway',
      actor: 'slipway',
      action: 'project.moved',
      target: project.name,
      status: 'ok',
      projectId: project.id,
      projectName: project.name,
      detail: `Nothing is left in the account ${move.from_account}.`,
    })
  })
}

/** Finishes interrupted moves: lets apps of failed moves accept changes again, and removes what moved projects have left behind. */
export const settleMoves: ScheduledTask<PlatformPorts<'accounts' | 'buckets' | 'widgets'>> = {
  name: 'settle-moves',
  every: 'minute',
  async run(platform, signal) {
    // A move that was changed more recently may still have a running job.
    const idleSince = new Date(platform.clock.now().getTime() - JOB_MS_MAX)
    for (const move of await listUnsettledMoves(platform.db, idleSince)) {
      signal.throwIfAborted()
      try {
        await settleMove(platform, move, signal)
      } catch (error) {
        signal.throwIfAborted()
        // A failed move must not keep the other moves from being settled.
        platform.log.error({ err: error, projectId: move.project_id }, 'a move could not be finished')
      }
    }
  },
}

async function settleMove(
  platform: PlatformPorts<'accounts' | 'buckets' | 'widgets'>,
  move: Move,
  signal: AbortSignal,
): Promise<void> {
  if (move.state === 'removing') await removeOrStoreReason(platform, move, signal)
  else if (await releaseHold(platform, move, signal)) await cancelNeedlessMove(platform, move)
}

/**
 * Deletes the move when the former account is connected again, because the project then is in the connected account
 * already.
 */
async function cancelNeedlessMove(platform: Core, move: Move): Promise<void> {
  const connected = await readConnection(platform.db, move.org_id, 'cloudflare')
  if (connected?.account_id === move.from_account) await cancelMove(platform.db, move)
}
