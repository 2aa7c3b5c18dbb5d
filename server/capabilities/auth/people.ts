import * as z from 'zod'
import { actorOf } from '../../connections/cloud.ts'
import { recordActivity } from '../../events/activity.ts'
import { notFound } from '../../http/errors.ts'
import type { Context } from '../../http/context.ts'
import { callOperator, type OperatedProject } from '../operator/call.ts'

type Owned = OperatedProject & { name: string }

const Time = z.string()

/** A person with an account in the live app. */
export const AppUser = z.object({
  id: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  name: z.string(),
  role: z.enum(['staff', 'member']),
  sessions: z.int(),
  methods: z.array(z.string()),
  createdAt: Time,
  lastSeenAt: Time.nullable(),
})

/** How much of a person was removed, and what stays because it belongs to others, too. */
export const Erased = z.object({
  userId: z.string(),
  removed: z.record(z.string(), z.int()),
  kept: z.object({ paidOrders: z.int(), sharedRecords: z.int() }),
})

/** Throws `not_found` for a text that cannot be a user's id, without a call to the app. */
function requireUserId(id: string): string {
  if (!/^u_[a-z0-9]{26}$/.test(id)) throw notFound('user')
  return id
}

export const readPeople = (ctx: Context, project: OperatedProject, limit: number) =>
  callOperator(ctx, project, {
    tier: 'production',
    method: 'GET',
    path: `/auth/users?limit=${limit}`,
    result: z.array(AppUser),
  })

export async function setRole(ctx: Context, project: Owned, userId: string, role: 'staff' | 'member') {
  const user = await callOperator(ctx, project, {
    tier: 'production',
    method: 'POST',
    path: `/auth/users/${requireUserId(userId)}/role`,
    body: { role },
    result: AppUser,
  })
  await note(ctx, project, 'app_user.role', { userId, role })
  return user
}

export async function erasePerson(ctx: Context, project: Owned, userId: string) {
  const report = await callOperator(ctx, project, {
    tier: 'production',
    method: 'DELETE',
    path: `/auth/users/${requireUserId(userId)}`,
    result: Erased,
  })
  await note(ctx, project, 'app_user.erase', { userId })
  return report
}

/** Records the change in the activity log, without the person's name or address. */
async function note(
  ctx: Context,
  project: Owned,
  action: string,
  { userId, role }: { userId: string; role?: string },
): Promise<void> {
  await recordActivity(ctx.db, {
    orgId: project.org_id,
    at: ctx.clock.now(),
    provider: 'cloudflare',
    actor: actorOf(ctx.caller),
    action,
    target: role === undefined ? userId : `${userId}/${role}`,
    status: 'ok',
    projectId: project.id,
    projectName: project.name,
  })
}
