import { listAllOrganizations, lockOrganizationRow } from '../auth/people.ts'
import { type Plan, PLANS } from '../billing-plans.ts'
import { transact, type Trx } from '../db/database.ts'
import { recordActivity } from '../activity/log.ts'
import { countProjectsOf } from '../projects/store.ts'
import { clearAllowedIps, deletePolicy } from '../security/policy.ts'
import { type AdminContext, OPERATOR_ACTOR } from '../admin/admin-context.ts'
import { AdminError } from '../admin/admin-error.ts'
import { listSettings, readOrganizationSettings, saveSettings } from '../admin/settings.ts'

export interface OrganizationRow {
  id: string
  name: string
  plan: Plan
  members: number
  projects: number
  suspendedAt: Date | null
}

interface ListedOrganization {
  id: string
  name: string
}

/** Lists every organization of the installation, oldest first. */
export async function listOrganizations({ db, defaultPlan }: AdminContext): Promise<OrganizationRow[]> {
  const found = await listAllOrganizations(db)
  const [settings, projects] = await Promise.all([
    listSettings(db),
    countProjectsOf(
      db,
      found.map(({ id }) => id),
    ),
  ])
  return found.map(({ id, name, members }) => ({
    id,
    name,
    plan: settings.get(id)?.plan ?? defaultPlan,
    members,
    projects: projects.get(id) ?? 0,
    suspendedAt: settings.get(id)?.suspended_at ?? null,
  }))
}

/** Returns one organization of the installation. Throws `AdminError` when it does not exist. */
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
export function suspendOrganization(
  ctx: AdminContext,
  id: string,
  reason: string,
): Promise<ListedOrganization> {
  return changeOrganization(ctx, id, async (trx, organization) => {
    const before = await readOrganizationSettings(trx, id)
    if (before?.suspended_at != null)
      throw new AdminError(
        `${organization.name} (${id}) has been suspended since ${before.suspended_at.toISOString()}.`,
      )
    await saveSettings(trx, ctx, id, { suspended_at: ctx.now })
    return { action: 'organization.suspended', detail: reason }
  })
}

/** Lifts the suspension of an organization. Throws when it is not suspended. */
export function releaseOrganization(ctx: AdminContext, id: string): Promise<ListedOrganization> {
  return changeOrganization(ctx, id, async (trx, organization) => {
    const before = await readOrganizationSettings(trx, id)
    if (before?.suspended_at == null) throw new AdminError(`${organization.name} (${id}) is not suspended.`)
    await saveSettings(trx, ctx, id, { suspended_at: null })
    return { action: 'organization.released', detail: null }
  })
}

/** Changes an organization's plan. The organization keeps its projects and members, even beyond the new limits. */
export async function setPlan(ctx: AdminContext, id: string, plan: string): Promise<ListedOrganization> {
  const known = PLANS.find((name) => name === plan)
  if (known === undefined)
    throw new AdminError(`There is no plan ${JSON.stringify(plan)}. Plans are ${PLANS.join(', ')}.`)
  return changeOrganization(ctx, id, async (trx) => {
    const before = (await readOrganizationSettings(trx, id))?.plan ?? ctx.defaultPlan
    await saveSettings(trx, ctx, id, { plan: known })
    return { action: 'organization.plan_set', detail: `${before} to ${known}` }
  })
}

/**
 * Clears the list of IP addresses that the security policy of an organization allows. `all` clears the rest of the
 * policy too: two-factor and single sign-on requirements and the session lifetime.
 */
export function resetPolicy(
  ctx: AdminContext,
  id: string,
  options: { all: boolean },
): Promise<ListedOrganization> {
  return changeOrganization(ctx, id, async (trx, organization) => {
    const isReset = options.all ? await deletePolicy(trx, id) : await clearAllowedIps(trx, id, ctx.now)
    if (!isReset) {
      const what = options.all ? 'no security policy' : 'no list of allowed addresses'
      throw new AdminError(`${organization.name} (${id}) has ${what}.`)
    }
    return { action: 'security.reset', detail: options.all ? 'the whole policy' : 'allowedIps: []' }
  })
}

/**
 * Commits a change and its activity record together. Throws `AdminError` when the organization does not
 * exist.
 */
function changeOrganization(
  ctx: AdminContext,
  id: string,
  work: (trx: Trx, organization: ListedOrganization) => Promise<{ action: string; detail: string | null }>,
): Promise<ListedOrganization> {
  return transact(ctx.db, async (trx) => {
    const organization = await lockOrganizationRow(trx, id)
    if (organization === null) throw unknownOrganization(id)
    const done = await work(trx, organization)
    await recordActivity(trx, {
      orgId: id,
      at: ctx.now,
      provider: 'slipway',
      actor: OPERATOR_ACTOR,
      action: done.action,
      target: organization.name,
      status: 'ok',
      detail: done.detail,
    })
    return organization
  })
}
