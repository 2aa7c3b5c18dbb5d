import { listMemberships, type Membership } from '../auth/erase-person.ts'
import { withCloudAccount } from '../connections/connections.ts'
import type { Db, Trx } from '../db/database.ts'
import { listLogged } from '../activity/log.ts'
import { countProjectsOf, listDeleting, oldestProjects } from '../projects/store.ts'
import { listByProject } from '../resources/registry.ts'
import { RESOURCE_LEFT_ACTION } from './large-tables.ts'

/** The maximum number of projects whose resources a plan lists: those that the next step deletes first. */
const PROJECTS_PER_PLAN = 5

export interface DeletionPlan {
  email: string
  organizations: (Membership & { projectsLeft: number; cloudConnected: boolean })[]
  /** The number of projects in all organizations deleted with the person. */
  projectsLeft: number
  /** The next projects with their resources in the cloud account, so that the person sees what the next step removes. */
  projects: {
    id: string
    organizationId: string
    name: string
    resources: { id: string; kind: string; name: string }[]
  }[]
  /** Milliseconds that the steps of this deletion have taken so far. */
  spent: number
  cleared: number
  /** Resources that the provider refused to remove when it was last asked. */
  failed: RefusedRemoval[]
  /** Resources that stay in a cloud account, because the person chose to leave them there. */
  left: LeftResource[]
  /** Null until the account is deleted. */
  deletion: { finishedAt: string } | null
}

interface RefusedRemoval {
  id: string
  projectId: string
  projectName: string
  kind: string
  name: string
  reason: string
}

interface LeftResource {
  projectName: string
  name: string
  detail: string
}

/** Lists everything that is deleted with a person. Changes nothing. */
export async function readDeletionPlan(
  db: Db | Trx,
  person: { id: string; email: string },
): Promise<DeletionPlan> {
  const memberships = await listMemberships(db, person.id)
  const ids = organizationsToDelete(memberships)
  const all = memberships.map(({ id }) => id)
  const [counts, withCloud, projects, failed, left, progress] = await Promise.all([
    countProjectsOf(db, all),
    withCloudAccount(db, all),
    nextProjects(db, ids),
    listRefused(db, ids),
    listLeftResources(db, ids),
    readProgress(db, person.id),
  ])
  const organizations = memberships.map((one) => ({
    ...one,
    projectsLeft: one.disposition === 'delete' ? (counts.get(one.id) ?? 0) : 0,
    cloudConnected: withCloud.has(one.id),
  }))
  return {
    email: person.email,
    organizations,
    projectsLeft: organizations.reduce((sum, { projectsLeft }) => sum + projectsLeft, 0),
    projects,
    ...progress,
    failed,
    left,
    deletion: null,
  }
}

/** An organization is deleted with a person only when the person is its only member. */
export const organizationsToDelete = (memberships: readonly Membership[]): string[] =>
  memberships.filter(({ disposition }) => disposition === 'delete').map(({ id }) => id)

/** Returns the oldest project, which is deleted next; null when none is left. */
export async function nextProject(db: Db | Trx, orgIds: readonly string[]) {
  return (await oldestProjects(db, orgIds, 1))[0] ?? null
}

/**
 * Reads the log entries about resources that were left in a cloud account. The deletion keeps these entries
 * until its last step.
 */
export async function listLeftResources(db: Db | Trx, orgIds: readonly string[]): Promise<LeftResource[]> {
  const entries = await listLogged(db, orgIds, RESOURCE_LEFT_ACTION)
  return entries.map(({ project_name, target, detail }) => ({
    projectName: project_name ?? '',
    name: target,
    detail: detail ?? '',
  }))
}

async function nextProjects(db: Db | Trx, orgIds: readonly string[]): Promise<DeletionPlan['projects']> {
  const projects = await oldestProjects(db, orgIds, PROJECTS_PER_PLAN)
  const resources = await listByProject(db, projects)
  return projects.map(({ id, org_id: organizationId, name }) => ({
    id,
    organizationId,
    name,
    resources: (resources.get(id) ?? []).map((row) => ({ id: row.id, kind: row.kind, name: row.name })),
  }))
}

/**
 * Lists the resources whose removal failed. Includes only errors since the deletion began: an earlier error means
 * that the resource could not be created.
 */
async function listRefused(db: Db | Trx, orgIds: readonly string[]): Promise<RefusedRemoval[]> {
  const projects = await listDeleting(db, orgIds)
  const resources = await listByProject(db, projects)
  return projects.flatMap(({ id: projectId, name: projectName, deleting_at: since }) =>
    (resources.get(projectId) ?? [])
      .filter((row) => row.state === 'error' && row.updated_at >= since)
      .map(({ id, kind, name, detail }) => ({
        id,
        projectId,
        projectName,
        kind,
        name,
        reason: detail ?? '',
      })),
  )
}

/** Returns what the steps of the person's deletion have done so far. */
export async function readProgress(
  db: Db | Trx,
  userId: string,
): Promise<Pick<DeletionPlan, 'spent' | 'cleared'>> {
  const row = await db
    .selectFrom('deletion_runs')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return { spent: row?.spent_ms ?? 0, cleared: row?.cleared ?? 0 }
}
