import { sql } from 'kysely'
import { listMemberships, type Membership } from '../auth/erase-person.ts'
import type { Db, Trx } from '../db/database.ts'

/** Projects whose resources a plan lists: those that the next step begins with. */
const BATCH = 5

export interface DeletionPlan {
  email: string
  organizations: (Membership & { projectsLeft: number; cloudConnected: boolean })[]
  /** Projects of all organizations that are deleted. */
  projectsLeft: number
  /** The projects that come next, with what they have in the cloud account. */
  projects: {
    id: string
    organizationId: string
    name: string
    resources: { id: string; kind: string; name: string }[]
  }[]
  /** Milliseconds that steps have worked so far. */
  spent: number
  /** Resources removed from cloud accounts so far. */
  cleared: number
  /** Resources that the provider refused to remove when it was last asked. */
  failed: Refused[]
  /** Resources that stay in a cloud account, because a step was told to leave them. */
  left: Left[]
  /** Null until everything is gone. */
  deletion: { finishedAt: string } | null
}

interface Refused {
  id: string
  projectId: string
  projectName: string
  kind: string
  name: string
  reason: string
}

interface Left {
  projectName: string
  name: string
  detail: string
}

/** What is deleted with a person, in the order of the steps. Changes nothing. */
export async function readPlan(db: Db | Trx, person: { id: string; email: string }): Promise<DeletionPlan> {
  const memberships = await listMemberships(db, person.id)
  const ids = doomedOf(memberships)
  const [counts, projects, failed, left, run] = await Promise.all([
    countProjects(db, memberships),
    nextProjects(db, ids),
    listRefused(db, ids),
    listLeft(db, ids),
    readRun(db, person.id),
  ])
  const organizations = memberships.map((one) => ({
    ...one,
    projectsLeft: one.disposition === 'delete' ? (counts.get(one.id)?.projects ?? 0) : 0,
    cloudConnected: counts.get(one.id)?.cloudConnected ?? false,
  }))
  return {
    email: person.email,
    organizations,
    projectsLeft: organizations.reduce((sum, { projectsLeft }) => sum + projectsLeft, 0),
    projects,
    spent: run?.spent_ms ?? 0,
    cleared: run?.cleared ?? 0,
    failed,
    left,
    deletion: null,
  }
}

/** The organizations that are deleted with the person. */
export const doomedOf = (memberships: readonly Membership[]): string[] =>
  memberships.filter(({ disposition }) => disposition === 'delete').map(({ id }) => id)

/** The project that the next step begins with, or null. */
export async function nextProject(db: Db | Trx, orgIds: readonly string[]) {
  const { rows } = await sql<{ id: string; org_id: string }>`
    select id, org_id from projects where org_id = any(${orgIds}) order by created_at, id limit 1`.execute(db)
  return rows[0] ?? null
}

/** What was left in cloud accounts; these entries of the activity log are kept until the last step. */
export async function listLeft(db: Db | Trx, orgIds: readonly string[]): Promise<Left[]> {
  const { rows } = await sql<Left>`
    select coalesce(project_name, '') as "projectName", target as name, coalesce(detail, '') as detail
    from activity where org_id = any(${orgIds}) and action = 'resource.left' order by at, id`.execute(db)
  return rows
}

async function countProjects(db: Db | Trx, memberships: readonly Membership[]) {
  const ids = memberships.map(({ id }) => id)
  const { rows } = await sql<{ id: string; projects: number; cloudConnected: boolean }>`
    select o.id, (select count(*)::int from projects p where p.org_id = o.id) as projects,
      exists (select from connections c where c.org_id = o.id and c.provider = 'cloudflare'
        and c.status = 'connected') as "cloudConnected"
    from organization o where o.id = any(${ids})`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

async function nextProjects(db: Db | Trx, orgIds: readonly string[]): Promise<DeletionPlan['projects']> {
  const { rows } = await sql<DeletionPlan['projects'][number]>`
    select p.id, p.org_id as "organizationId", p.name, coalesce((
      select json_agg(json_build_object('id', r.id, 'kind', r.kind, 'name', r.name) order by r.created_at, r.id)
      from resources r where r.org_id = p.org_id and r.project_id = p.id), '[]') as resources
    from projects p where p.org_id = any(${orgIds}) order by p.created_at, p.id limit ${BATCH}`.execute(db)
  return rows
}

/** Only errors since the deletion began count: an earlier one is of a resource that could not be created. */
async function listRefused(db: Db | Trx, orgIds: readonly string[]): Promise<Refused[]> {
  const { rows } = await sql<Refused>`
    select r.id, p.id as "projectId", p.name as "projectName", r.kind, r.name, coalesce(r.detail, '') as reason
    from projects p join resources r on r.org_id = p.org_id and r.project_id = p.id
    where p.org_id = any(${orgIds}) and r.state = 'error' and r.updated_at >= p.deleting_at
    order by p.created_at, p.id, r.created_at, r.id`.execute(db)
  return rows
}

async function readRun(db: Db | Trx, userId: string) {
  const row = await db
    .selectFrom('deletion_runs')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}
