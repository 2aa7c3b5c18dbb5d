import { type Db, transact, type Trx } from '../../db/database.ts'
import { lockProject } from '../../db/locks.ts'
import type { ProjectIds } from '../../db/tables/projects.ts'
import { ApiError } from '../../http/errors.ts'
import type { PlatformPorts } from '../../platform.ts'
import type { RebindOptions } from '../../resource-ports.ts'
import { changeProject, findProject, type ProjectKey } from '../../projects/store.ts'
import type { ProjectRef, PublishPorts, ResourceWork } from '../../resources/work.ts'
import { readAccessCodeTime } from '../access/code.ts'
import { usableCapabilities } from './products.ts'

/**
 * When an update is due (`rebind_due`), gives the live app and the preview the bindings of the enabled capabilities.
 * Without a usable cloud account the update stays due. The next connection of an account, reconciliation or
 * provisioning tries the update again, and so does the scheduled task `retry-rebinds`.
 */
export async function rebindWhenDue(
  { platform, project, actor, signal }: Omit<ResourceWork<PublishPorts | 'releases'>, 'cloud'>,
  options: RebindOptions,
): Promise<void> {
  if (!(await isDue(platform.db, project)) || !(await hasCloud(platform, project))) return
  const generation = await readGeneration(platform.db, project)
  const cloud = await platform.accounts.openCloud({ orgId: project.org_id, project, actor, signal })
  const work = { platform, cloud, project, actor, signal }
  await platform.releases.rebind(work, { ...options, enabled: await usableCapabilities(work) })
  await transact(platform.db, async (trx) => {
    await lockProject(trx, project.id)
    // The new bindings do not include changes made during the update. After such a change, the update stays due.
    if ((await readGeneration(trx, project)) !== generation) return
    await changeProject(trx, projectKey(project), { rebind_due: false })
  })
}

async function isDue(db: Db, project: ProjectIds): Promise<boolean> {
  return (await findProject(db, projectKey(project)))?.rebind_due === true
}

const projectKey = ({ id, org_id }: ProjectIds): ProjectKey => ({
  orgId: org_id,
  projectId: id,
})

async function hasCloud(platform: PlatformPorts<'accounts'>, project: ProjectRef): Promise<boolean> {
  try {
    await platform.accounts.requireCloud(project.org_id, { project })
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** Returns a string that differs after each change of the project's capabilities or access code. */
async function readGeneration(db: Db | Trx, project: ProjectIds): Promise<string> {
  const row = await db
    .selectFrom('capabilities')
    .select((eb) => eb.fn.sum<number | null>('generation').as('sum'))
    .where('project_id', '=', project.id)
    .executeTakeFirst()
  const since = await readAccessCodeTime(db, project)
  return `${row?.sum ?? 0} ${since?.getTime() ?? ''}`
}
