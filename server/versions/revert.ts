import * as z from 'zod'
import { type AppTree, completeTree } from '../agent/source/tree.ts'
import { isBuilding } from '../builds/run/open-run.ts'
import { enabledCapabilities } from '../capability-state/enabled.ts'
import { transact, type Trx } from '../db/database.ts'
import { lockProject } from '../db/locks.ts'
import type { Context } from '../endpoint.ts'
import { emit } from '../events/emit.ts'
import { MAIN_REF, readCommit, readRef, readTree, writeTree } from '../git/store.ts'
import { conflict, notFound } from '../http/errors.ts'
import { shortenSubject, subjectOf } from '../lib/subject.ts'
import { requireNotDeleting } from '../projects/lifecycle.ts'
import { loadProject } from '../projects/projects.ts'
import { advanceMain } from '../projects/advance-main.ts'
import { previewKind } from '../deployments/job-kinds.ts'
import { recordHistory } from '../history/record-history.ts'
import { findVersion } from '../history/versions.ts'

/**
 * Restores the tree of an earlier version as a new commit, so that a revert can be reverted. Queues the job that publishes the preview in
 * the same transaction. Throws 409 for a version whose files are the current files. Also throws 409 while a build runs, because the revert
 * would replace the version on which the build is based.
 */
export async function revertProject(
  ctx: Context<'jobs'>,
  projectId: string,
  restored: string,
): Promise<{ sha: string; restored: string }> {
  const orgId = ctx.caller.organizationId
  return transact(ctx.db, async (trx) => {
    await lockProject(trx, projectId)
    requireNotDeleting(await loadProject({ ...ctx, db: trx }, projectId))
    const version = await findVersion(trx, projectId, restored)
    if (version === null) throw notFound('version')
    if (await isBuilding(trx, projectId)) throw conflict('A build is running. Cancel it or wait for it.')
    const head = await readRef(trx, projectId, MAIN_REF)
    if (head === null) throw notFound('version')
    if (restored === head) throw conflict('This version is already the current one.')
    const at = ctx.clock.now()
    const files = await restoredFiles(trx, projectId, { from: restored, head })
    const tree = await writeTree(trx, projectId, files, at)
    if (tree === (await readCommit(trx, projectId, head)).tree)
      throw conflict('The current version already has the files of this version.')
    const sha = await advanceMain(trx, {
      orgId,
      projectId,
      head,
      tree,
      files: files.size,
      author: ctx.caller.userName ?? 'Slipway',
      message: revertMessage(restored, version.message),
      runId: null,
      ticketId: null,
      generatedBy: version.generated_by,
      at,
    })
    await emit(trx, { type: 'project.reverted', orgId, projectId, data: { sha: restored }, at })
    const detail = `Back to ${subjectOf(version.message)}`
    await recordHistory(trx, {
      orgId,
      projectId,
      type: 'reverted',
      actor: ctx.caller.actorId,
      sha: restored,
      detail,
      at,
    })
    await ctx.jobs.send(trx, previewKind, { orgId, projectId })
    return { sha, restored }
  })
}

/**
 * Returns the files of the earlier version, but with the newest list of data migrations: the stored data may
 * already be migrated, so entries of the list are never changed or removed. The files that the platform adds
 * are generated again from the resulting manifest.
 */
async function restoredFiles(
  trx: Trx,
  projectId: string,
  { from, head }: { from: string; head: string },
): Promise<AppTree> {
  const treeOf = async (sha: string) => readTree(trx, projectId, (await readCommit(trx, projectId, sha)).tree)
  const old = await treeOf(from)
  const now = await treeOf(head)
  const manifest = manifestOf(old)
  const { migrations = [] } = manifestOf(now)
  if (JSON.stringify(manifest['migrations'] ?? []) === JSON.stringify(migrations)) return old
  const text = `${JSON.stringify({ ...manifest, migrations }, null, 2)}\n`
  return completeTree(new Map(old).set('app.json', text), await enabledCapabilities(trx, projectId))
}

const Manifest = z.record(z.string(), z.unknown())

const manifestOf = (tree: AppTree) => Manifest.parse(JSON.parse(tree.get('app.json') ?? '{}'))

const revertMessage = (sha: string, message: string): string =>
  `${shortenSubject(`Revert to ${sha.slice(0, 7)}: ${subjectOf(message)}`)}\n\nSlipway-Revert: ${sha}`
