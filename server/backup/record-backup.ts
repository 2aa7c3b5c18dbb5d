import { type Db, transact, type Trx } from '../db/database.ts'
import type { BackupsTable } from '../db/tables/connections.ts'
import { lockProject } from '../db/locks.ts'
import type { CallerContext } from '../endpoint.ts'
import { recordCallerChange } from '../activity/log.ts'
import type { GithubAccess } from '../github/client.ts'
import { repositoryUrl, type Repository } from '../github/repositories.ts'
import { recordHistory } from '../history/record-history.ts'
import type { MainBranch } from './main-branch.ts'
import { findProjectForShare } from '../projects/store.ts'

interface BackupTarget {
  access: GithubAccess
  project: { id: string; name: string }
  repository: Repository
}

/** Records once that a repository was created, even when several calls report the creation. */
export async function recordCreated(ctx: CallerContext<'db' | 'clock'>, place: BackupTarget): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const isThere = await projectExists(ctx, trx, place)
    const row = await readBackup(ctx, place.project.id, trx)
    if (isOf(place, row)) return
    await recordBackupChange(ctx, trx, place, { action: 'repository.created' })
    if (isThere) await storeBackupRow(ctx, trx, place, { sha: null, pushed_at: null })
  })
}

/** Records the pushed commit. Returns the time at which that commit was first pushed. */
export async function recordPushed(
  ctx: CallerContext<'db' | 'clock'>,
  place: BackupTarget,
  line: MainBranch,
  sent: { sha: string; isMoved: boolean },
): Promise<Date> {
  const at = ctx.clock.now()
  return await transact(ctx.db, async (trx) => {
    const isThere = await projectExists(ctx, trx, place)
    const row = isThere ? await readBackup(ctx, place.project.id, trx) : undefined
    const last = isOf(place, row) ? row : undefined
    if (last?.sha === sent.sha && last.pushed_at !== null) return last.pushed_at
    // A backup that started later may have been recorded first, and its newer commit must stay recorded.
    const isOvertaken = typeof last?.sha === 'string' && !line.ancestors.includes(last.sha)
    if ((isOvertaken || !isThere) && !sent.isMoved) return at
    // Recorded even when another call had already pushed the commit, because that call may have died before recording it.
    const detail = `main is ${sent.sha}`
    await recordBackupChange(ctx, trx, place, { action: 'repository.pushed', detail })
    if (!isThere) return at
    if (!isOvertaken) await storeBackupRow(ctx, trx, place, { sha: sent.sha, pushed_at: at })
    await recordHistory(trx, {
      orgId: ctx.caller.organizationId,
      projectId: place.project.id,
      type: 'backed_up',
      actor: ctx.caller.actorId,
      sha: sent.sha,
      detail: repositoryUrl(place.access, place.repository.name),
      at,
    })
    return at
  })
}

/** Records a failed backup in the activity log only, because the stored row describes the last successful backup. */
export async function recordFailed(
  ctx: CallerContext<'db' | 'clock'>,
  about: { project: BackupTarget['project']; target: string; action: string; error: unknown },
): Promise<void> {
  const { project, target, action, error } = about
  await recordCallerChange(ctx, ctx.db, {
    ...ofGithub(project),
    action,
    target,
    status: 'failed',
    detail: error instanceof Error ? error.message : null,
  })
}

/** Returns the stored backup of the project; undefined when it was never backed up. */
export async function readBackup(ctx: CallerContext<'db'>, projectId: string, db: Db | Trx = ctx.db) {
  return await db
    .selectFrom('backups')
    .selectAll()
    .where('org_id', '=', ctx.caller.organizationId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
}

const recordBackupChange = (
  ctx: CallerContext<'clock'>,
  trx: Trx,
  { project, repository }: BackupTarget,
  change: { action: string; detail?: string },
): Promise<void> =>
  recordCallerChange(ctx, trx, {
    ...ofGithub(project),
    target: `${repository.owner}/${repository.name}`,
    ...change,
  })

const ofGithub = ({ id, name }: BackupTarget['project']) =>
  ({ provider: 'github', projectId: id, projectName: name }) as const

/** Returns whether a stored backup is in this repository. Compares the host too, because repository ids are unique only within one host. */
const isOf = ({ access, repository }: BackupTarget, row: BackupsTable | undefined): boolean =>
  row?.profile === access.profile.name && row.repository_id === repository.id

/** Returns whether the project still exists. It may have been deleted during the push; the activity log is written in either case. */
async function projectExists(ctx: CallerContext, trx: Trx, { project }: BackupTarget): Promise<boolean> {
  await lockProject(trx, project.id)
  const key = { orgId: ctx.caller.organizationId, projectId: project.id }
  return (await findProjectForShare(trx, key)) !== null
}

async function storeBackupRow(
  ctx: CallerContext<'clock'>,
  trx: Trx,
  { access, project, repository }: BackupTarget,
  state: { sha: string | null; pushed_at: Date | null },
): Promise<void> {
  const row = {
    profile: access.profile.name,
    repository_id: repository.id,
    owner: repository.owner,
    name: repository.name,
    url: repositoryUrl(access, repository.name),
    ...state,
  }
  await trx
    .insertInto('backups')
    .values({
      ...row,
      project_id: project.id,
      org_id: ctx.caller.organizationId,
      created_at: ctx.clock.now(),
    })
    .onConflict((clash) => clash.column('project_id').doUpdateSet(row))
    .execute()
}
