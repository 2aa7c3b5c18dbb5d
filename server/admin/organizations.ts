import { sql } from 'kysely'
import { type Plan, PLANS } from '../billing/plans.ts'
import { type Db, transact, type Trx } from '../db/database.ts'
import { recordActivity } from '../events/activity.ts'
import { AdminError } from './admin-error.ts'
import { readSettings, saveSettings } from './settings.ts'

/** The actor in the activity log for commands run on the service's own machine. */
export const OPERATOR = 'operator'

/** What every command needs besides its own arguments. */
export interface AdminContext {
  db: Db
  now: Date
  /** The plan of an organization that has no settings row yet. */
  defaultPlan: Plan
}

export interface OrganizationRow {
  id: string
  name: string
  plan: Plan
  members: number
  projects: number
  suspendedAt: Date | null
}

interface Organization {
  id: string
  name: string
}

/** Returns every organization of the installation, oldest first. */
export async function listOrganizations({ db, defaultPlan }: AdminContext): Promise<OrganizationRow[]> {
  const { rows } = await sql<OrganizationRow>`
    select o.id, o.name, coalesce(s.plan, ${defaultPlan}) as plan,
      (select count(*)::int from member m where m."organizationId" = o.id) as members,
      (select count(*)::int from projects p where p.org_id = o.id) as projects,
      s.suspended_at as "suspendedAt"
    from organization o left join organization_settings s on s.org_id = o.id
    order by o."createdAt", o.id`.execute(db)
  return rows
}

/** Returns one of them. Throws when it does not exist. */
export async function findOrganization(ctx: AdminContext, id: string): Promise<OrganizationRow> {
  const found = (await listOrganizations(ctx)).find((row) => row.id === id)
  if (found === undefined) throw unknownOrganization(id)
  return found
}

const unknownOrganization = (id: string): AdminError =>
  new AdminError(
    `There is no organization ${JSON.stringify(id)}. \`npm run admin -- organizations\` lists them with their ids.`,
  )

/** Stops an organization from building and shipping. Its live apps keep running. */
export function suspendOrganization(ctx: AdminContext, id: string, reason: string): Promise<Organization> {
  return change(ctx, id, async (trx, organization) => {
    const before = await readSettings(trx, id)
    if (before?.suspended_at != null)
      throw new AdminError(
        `${organization.name} (${id}) has been suspended since ${before.suspended_at.toISOString()}.`,
      )
    await saveSettings(trx, ctx, id, { suspended_at: ctx.now })
    return { action: 'organization.suspended', detail: reason }
  })
}

/** Lets a suspended organization build and ship again. */
export function releaseOrganization(ctx: AdminContext, id: string): Promise<Organization> {
  return change(ctx, id, async (trx, organization) => {
    const before = await readSettings(trx, id)
    if (before?.suspended_at == null) throw new AdminError(`${organization.name} (${id}) is not suspended.`)
    await saveSettings(trx, ctx, id, { suspended_at: null })
    return { action: 'organization.released', detail: null }
  })
}

/** Moves an organization to another plan. It keeps what it has, even beyond the new limits. */
export async function setPlan(ctx: AdminContext, id: string, plan: string): Promise<Organization> {
  const known = PLANS.find((name) => name === plan)
  if (known === undefined)
    throw new AdminError(`There is no plan ${JSON.stringify(plan)}. Plans are ${PLANS.join(', ')}.`)
  return change(ctx, id, async (trx) => {
    const before = (await readSettings(trx, id))?.plan ?? ctx.defaultPlan
    await saveSettings(trx, ctx, id, { plan: known })
    return { action: 'organization.plan_set', detail: `${before} to ${known}` }
  })
}

/**
 * Clears the address list of an organization. `all` clears the rest of its policy too: two-factor and single
 * sign-on requirements and the session lifetime.
 */
export function resetPolicy(ctx: AdminContext, id: string, options: { all: boolean }): Promise<Organization> {
  return change(ctx, id, async (trx, organization) => {
    const policy = await trx
      .selectFrom('security_policies')
      .select(['allowed_ips'])
      .where('org_id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (policy === undefined || (!options.all && policy.allowed_ips.length === 0)) {
      const what = options.all ? 'no security policy' : 'no list of allowed addresses'
      throw new AdminError(`${organization.name} (${id}) has ${what}.`)
    }
    if (options.all) await trx.deleteFrom('security_policies').where('org_id', '=', id).execute()
    else
      await trx
        .updateTable('security_policies')
        .set({ allowed_ips: [], updated_at: ctx.now })
        .where('org_id', '=', id)
        .execute()
    return { action: 'security.reset', detail: options.all ? 'the whole policy' : 'allowedIps: []' }
  })
}

/** Commits a change and its activity record together. Throws when the organization does not exist. */
function change(
  ctx: AdminContext,
  id: string,
  work: (trx: Trx, organization: Organization) => Promise<{ action: string; detail: string | null }>,
): Promise<Organization> {
  return transact(ctx.db, async (trx) => {
    const organization = await trx
      .selectFrom('organization')
      .select(['id', 'name'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (organization === undefined) throw unknownOrganization(id)
    const done = await work(trx, organization)
    await recordActivity(trx, {
      orgId: id,
      at: ctx.now,
      provider: 'slipway',
      actor: OPERATOR,
      action: done.action,
      target: organization.name,
      status: 'ok',
      detail: done.detail,
    })
    return organization
  })
}
