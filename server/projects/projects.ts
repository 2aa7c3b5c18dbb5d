import { REPOSITORY_JSON } from '../sql/backup.ts'
import { FIRST_FAILURE, HAS_FAILED, IS_PROVISIONING } from '../sql/capabilities.ts'
import { HOSTNAME_SQL } from '../sql/domain.ts'
import type { ExportedTable } from '../lib/exported.ts'
import { sql } from 'kysely'
import { type Plan, PLAN_CAPS } from '../billing-plans.ts'
import { type Db, preparedQuery, transact, type Trx } from '../db/database.ts'
import { namedSql } from '../db/named-sql.ts'
import { lockOrganization } from '../db/locks.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import { emit } from '../events/emit.ts'
import { RawJson } from '../http/endpoint.ts'
import { ApiError, conflict, invalid, notFound } from '../http/errors.ts'
import { decodeCursor, encodeCursor } from '../http/query.ts'
import { containsPattern, foldText } from '../lib/fold.ts'
import { newId } from '../lib/ids.ts'
import { isoTime } from '../lib/sql-json.ts'
import { recordHistory } from '../history/record-history.ts'
import { availableSlug, slugOf, slugProblem } from './slug.ts'
import { findProject, type ProjectKey } from './store.ts'

export const DEFAULT_NAME = 'Untitled project'

// For a failed deployment only the message is stored, so the code is always `deploy_failed`.
const PROVISION_ERROR = `case when p.provision_error is not null
  then json_build_object('code', 'deploy_failed', 'message', p.provision_error)
  else ${FIRST_FAILURE} end`

/** The columns of a project in every response. `p` is its row. */
const PROJECT_COLUMNS = `p.id, p.name, p.slug, p.slug_locked_at is not null as "slugLocked", p.lifecycle, p.url,
  p.preview_url as "previewUrl",
  ${HOSTNAME_SQL} as "customDomain",
  json_build_object(
    'state', case
      when ${IS_PROVISIONING} then 'creating'
      when p.provision_error is not null
        or ${HAS_FAILED} then 'error'
      else 'idle' end,
    'error', ${PROVISION_ERROR}) as provision,
  ${REPOSITORY_JSON} as repository, ${isoTime('p.created_at')} as "createdAt", ${isoTime('p.updated_at')} as "updatedAt",
  ${isoTime('p.live_at')} as "deployedAt", ${isoTime('p.archived_at')} as "archivedAt"`

const SELECT_ONE = `
  select row_to_json(r)::text as data from (select ${PROJECT_COLUMNS} from projects p where p.org_id = :orgId and p.id = :projectId) r`
const selectOne = preparedQuery<{ data: string }, ProjectKey>('project-get', SELECT_ONE)
const selectProject = namedSql<ProjectKey, { data: string }>(SELECT_ONE)

/** Throws 404 when the caller's organization has no such project. */
export async function loadProject(ctx: CallerContext<'db'>, projectId: string) {
  const row = await findProject(ctx.db, { orgId: ctx.caller.organizationId, projectId })
  if (row === null) throw notFound('project')
  return row
}

export async function getProject(ctx: Context<'pool'>, projectId: string): Promise<RawJson> {
  const [row] = await selectOne(ctx.pool, { orgId: ctx.caller.organizationId, projectId })
  if (row === undefined) throw notFound('project')
  return new RawJson(row.data)
}

/** Returns a page of projects, the newest first, with the cursor of the next page. */
export async function listProjects(
  ctx: CallerContext<'db'>,
  query: { limit: number; cursor?: string | undefined; q?: string | undefined },
): Promise<RawJson> {
  const orgId = ctx.caller.organizationId
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, 'prj')
  const rows = await sql<{ id: string; created_at: Date; data: string }>`
    select r.id, r.at as created_at, (row_to_json(r)::jsonb - 'at')::text as data
    from (
      select ${sql.raw(PROJECT_COLUMNS)}, p.created_at as at from projects p
      where p.org_id = ${orgId}
        ${after === undefined ? sql`` : sql`and (p.created_at, p.id) < (${after.at}, ${after.id})`}
        ${query.q === undefined ? sql`` : sql`and p.name_fold like ${containsPattern(foldText(query.q))}`}
      order by p.created_at desc, p.id desc limit ${query.limit + 1}
    ) r`.execute(ctx.db)
  const items = rows.rows.slice(0, query.limit)
  const last = rows.rows.length > query.limit ? items.at(-1) : undefined
  const nextCursor = last === undefined ? null : encodeCursor({ at: last.created_at, id: last.id })
  return new RawJson(
    `{"items":[${items.map((row) => row.data).join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`,
  )
}

export async function createProject(
  ctx: Context<'pool'>,
  input: { name?: string | undefined },
): Promise<RawJson> {
  const id = newId('prj')
  const at = ctx.clock.now()
  const orgId = ctx.caller.organizationId
  const name = input.name ?? DEFAULT_NAME
  await transact(ctx.db, async (trx) => {
    await lockOrganization(trx, orgId)
    await requireWithinProjectLimit(trx, orgId, ctx.caller.plan)
    const slug = await chooseSlug(trx, orgId, name)
    await trx
      .insertInto('projects')
      .values({ id, org_id: orgId, name, name_fold: foldText(name), slug, created_at: at, updated_at: at })
      .execute()
    await emit(trx, { type: 'project.created', orgId, projectId: id, data: { name, slug }, at })
    if (ctx.remember !== undefined)
      await ctx.remember(trx, await readProjectJson(trx, { orgId, projectId: id }))
  })
  return getProject(ctx, id)
}

async function readProjectJson(trx: Trx, key: ProjectKey): Promise<string> {
  const { rows } = await trx.executeQuery(selectProject.query(key))
  return rows[0]?.data ?? 'null'
}

async function requireWithinProjectLimit(trx: Trx, orgId: string, plan: Plan): Promise<void> {
  // A plan without a limit needs no count, which would scan every project of the organization.
  const cap = PLAN_CAPS[plan].projects
  if (cap === Infinity) return
  if ((await countProjects(trx, orgId)) >= cap)
    throw new ApiError('payment_required', `The ${plan} plan allows ${cap} projects.`)
}

/** Counts all projects, including archived ones. */
export async function countProjects(db: Db | Trx, orgId: string): Promise<number> {
  const { count } = await db
    .selectFrom('projects')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  return count
}

async function chooseSlug(db: Db | Trx, orgId: string, name: string, exceptId = ''): Promise<string> {
  const base = slugOf(name)
  const rows = await db
    .selectFrom('projects')
    .select('slug')
    .where('org_id', '=', orgId)
    .where('id', '!=', exceptId)
    .where('slug', 'like', `${base}%`)
    .execute()
  return availableSlug(base, new Set(rows.map((row) => row.slug)))
}

/** Changes the name or the slug of a project. A new name also changes the slug, unless the slug was set by a request or is locked. */
export async function updateProject(
  ctx: Context<'pool'>,
  projectId: string,
  input: { name?: string | undefined; slug?: string | undefined },
): Promise<RawJson> {
  if (input.slug !== undefined) requireGoodSlug(input.slug)
  await loadProject(ctx, projectId)
  const at = ctx.clock.now()
  await transact(ctx.db, async (trx) => {
    if (input.slug !== undefined) await setSlug(trx, ctx.caller.organizationId, projectId, input.slug, at)
    if (input.name !== undefined)
      await renameProject(trx, {
        orgId: ctx.caller.organizationId,
        projectId,
        name: input.name,
        actor: ctx.caller.actorId,
        at,
      })
  })
  return getProject(ctx, projectId)
}

function requireGoodSlug(slug: string): void {
  const problem = slugProblem(slug)
  if (problem !== null) throw invalid('slug', problem)
}

async function setSlug(trx: Trx, orgId: string, projectId: string, slug: string, at: Date): Promise<void> {
  await lockOrganization(trx, orgId)
  const rows = await trx
    .selectFrom('projects')
    .select(['id', 'slug', 'slug_locked_at'])
    .where('org_id', '=', orgId)
    .where((eb) => eb.or([eb('id', '=', projectId), eb('slug', '=', slug)]))
    .execute()
  const own = rows.find((row) => row.id === projectId)
  if (own === undefined) throw notFound('project')
  // Setting a locked slug to its current value is allowed. Setting an unlocked slug to its current value is stored,
  // because from then on the slug no longer follows the name.
  if (own.slug === slug && own.slug_locked_at !== null) return
  if (own.slug_locked_at !== null)
    throw conflict('The address is locked since the first build; only a custom domain changes it now.')
  if (rows.length > 1) throw conflict(`Another project already uses the address ${slug}.`)
  await trx
    .updateTable('projects')
    .set({ slug, slug_set: true, updated_at: at })
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .execute()
}

interface ProjectNaming extends ProjectKey {
  name: string
  actor: string | null
  at: Date
}

/**
 * Names a project that has the default name, for the build agent and a captured sentence. A project that was named meanwhile keeps its
 * name. Returns the name that the project has now. Throws 404 when there is no such project.
 */
export async function nameUntitledProject(trx: Trx, naming: ProjectNaming): Promise<string> {
  const { orgId, projectId, name } = naming
  // Renaming takes this lock too, so no other name can be set between the check and the change.
  await lockOrganization(trx, orgId)
  const project = await findProject(trx, { orgId, projectId })
  if (project === null) throw notFound('project')
  if (project.name !== DEFAULT_NAME) return project.name
  await renameProject(trx, naming)
  return name
}

/** Renames a project. Does nothing when the project already has that name. Throws 404 when there is no such project. */
async function renameProject(trx: Trx, naming: ProjectNaming): Promise<void> {
  const { orgId, projectId, name, actor, at } = naming
  await lockOrganization(trx, orgId)
  const row = await trx
    .selectFrom('projects')
    .select(['name', 'slug', 'slug_set', 'slug_locked_at'])
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .executeTakeFirst()
  if (row === undefined) throw notFound('project')
  if (row.name === name) return
  const follows = !row.slug_set && row.slug_locked_at === null
  const slug = follows ? await chooseSlug(trx, orgId, name, projectId) : row.slug
  await trx
    .updateTable('projects')
    .set({ name, name_fold: foldText(name), slug, updated_at: at })
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .execute()
  const detail = `${row.name} is now ${name}`
  await recordHistory(trx, { orgId, projectId, type: 'renamed', actor, detail, at })
  await emit(trx, {
    type: 'project.renamed',
    orgId,
    projectId,
    data: { name, previousName: row.name, slug },
    at,
  })
}

/** The export of an organization contains the fields of its projects. The generated code is exported separately. */
export const EXPORTED_PROJECTS: ExportedTable = {
  fields: {
    id: 'id',
    name: 'name',
    slug: 'slug',
    lifecycle: 'lifecycle',
    url: 'url',
    previewUrl: 'preview_url',
    readme: 'readme',
    createdAt: isoTime('created_at'),
    updatedAt: isoTime('updated_at'),
    deployedAt: isoTime('live_at'),
    archivedAt: isoTime('archived_at'),
  },
  from: 'projects where org_id = $1 order by created_at, id',
}
