import { sql } from 'kysely'
import { cancelInvitations, listMemberships } from '../auth/erase-person.ts'
import { deleteProject } from '../closing/delete-project.ts'
import { deleteInBatches } from '../db/purge.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import type { RequirePolicies } from '../http/endpoint.ts'
import { ApiError, conflict, invalid } from '../http/errors.ts'
import type { Core } from '../platform.ts'
import { type DeletionPlan, organizationsToDelete, nextProject, readDeletionPlan } from './deletion-plan.ts'
import { eraseAccount } from './erase-account.ts'
import { LARGE_TABLES } from './large-tables.ts'

/** A step returns within 20 s (docs/limits.md#time-limits). The other 5 s are for a provider call that is still under way. */
const STEP_MS_MAX = 15_000

interface DeletedPerson {
  id: string
  email: string
}

/** Returns the plan. Throws when the security policy of an organization that would be deleted refuses the caller. */
export async function planDeletion(
  ctx: CallerContext<'db'>,
  requirePolicies: RequirePolicies,
): Promise<DeletionPlan> {
  const person = personOf(ctx)
  await requirePolicies(organizationsToDelete(await listMemberships(ctx.db, person.id)))
  return readDeletionPlan(ctx.db, person)
}

/**
 * Works on the deletion of the caller's account for a limited time, and returns the current plan. First it deletes the
 * projects, one after another, and stops at a resource that cannot be removed. Then it empties the large tables of the
 * organizations that are deleted. Last it deletes the organizations and the person in one transaction. Each step
 * continues where the previous one ended, even if that step's process died.
 */
export async function continueDeletion(
  ctx: Context<'accounts' | 'buckets' | 'mailer' | 'metrics'>,
  requirePolicies: RequirePolicies,
  { confirm, leaveStuck = false }: { confirm: string; leaveStuck?: boolean | undefined },
): Promise<DeletionPlan> {
  const person = personOf(ctx)
  if (confirm !== person.email) throw invalid('confirm', 'must be the e-mail address of the account')
  const memberships = await listMemberships(ctx.db, person.id)
  const orgIds = organizationsToDelete(memberships)
  await requirePolicies(orgIds)
  const blocked = memberships.find(({ disposition }) => disposition === 'blocked')
  if (blocked !== undefined) throw soleOwnerConflict(blocked.name)
  const began = performance.now()
  const signal = AbortSignal.timeout(STEP_MS_MAX)
  await beginRun(ctx, person)
  await cancelInvitations(ctx.db, orgIds)
  const isCleared = await clearProjects(ctx, person, orgIds, { leaveStuck, signal })
  const isDone = isCleared && (await emptyOrganizations(ctx, orgIds, signal))
  const erased = isDone ? await eraseAccount(ctx, person, orgIds) : null
  const spentMs = Math.round(performance.now() - began)
  if (erased !== null) return { ...erased, spent: erased.spent + spentMs }
  await addToRun(ctx, person, { spentMs })
  return readDeletionPlan(ctx.db, person)
}

function personOf({ caller }: CallerContext): DeletedPerson {
  // Only an API key can lack a person, and these routes accept no API key.
  if (caller.userId === null || caller.email === null) throw new ApiError('forbidden', 'Sign in first.')
  return { id: caller.userId, email: caller.email }
}

const soleOwnerConflict = (organization: string) =>
  conflict(
    `You own ${organization}, and others are in it. Make another member its owner and leave it, or remove the others.`,
  )

/** Deletes the projects one after another. Returns true when none is left; false when the time is up or a resource could not be removed. */
async function clearProjects(
  ctx: Context<'accounts' | 'buckets' | 'metrics'>,
  person: DeletedPerson,
  orgIds: readonly string[],
  { leaveStuck, signal }: { leaveStuck: boolean; signal: AbortSignal },
): Promise<boolean> {
  for (;;) {
    const project = await nextProject(ctx.db, orgIds)
    if (project === null) return true
    if (signal.aborted) return false
    const caller = { ...ctx.caller, organizationId: project.org_id }
    // `signal` is a getter of the context's class, which spreading does not copy.
    const own: Context<'accounts' | 'buckets' | 'metrics'> = {
      ...ctx,
      signal: ctx.signal,
      caller,
    }
    const options = { leaveStuck, signal, startsWithoutCloud: true }
    const done = await deleteProject(own, project.id, options).catch(unlessGone)
    if (done === null) continue
    await addToRun(ctx, person, { cleared: done.teardown.removed.length })
    if (done.teardown.remaining > 0) return false
  }
}

/** Returns null for a project that no longer exists, because a step in another tab may just have deleted it. Throws any other error. */
function unlessGone(error: unknown): null {
  if (error instanceof ApiError && error.code === 'not_found') return null
  throw error
}

async function emptyOrganizations(
  { db }: Core,
  orgIds: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const orgId of orgIds) if (!(await deleteInBatches(db, LARGE_TABLES, [orgId], signal))) return false
  return true
}

async function beginRun({ db, clock }: Core, person: DeletedPerson): Promise<void> {
  await db
    .insertInto('deletion_runs')
    .values({ user_id: person.id, spent_ms: 0, cleared: 0, created_at: clock.now() })
    .onConflict((row) => row.column('user_id').doNothing())
    .execute()
}

async function addToRun(
  { db }: Core,
  person: DeletedPerson,
  { spentMs = 0, cleared = 0 }: { spentMs?: number; cleared?: number },
): Promise<void> {
  await db
    .updateTable('deletion_runs')
    .set({ spent_ms: sql`spent_ms + ${spentMs}`, cleared: sql`cleared + ${cleared}` })
    .where('user_id', '=', person.id)
    .execute()
}
