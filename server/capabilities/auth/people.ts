import * as z from 'zod'
import type { CallerContext, Context } from '../../endpoint.ts'
import { recordCallerChange } from '../../activity/log.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { cursorParam } from '../../http/query.ts'
import type { Core, PlatformPorts } from '../../platform.ts'
import { callOperator, type LoggedProject, type OperatedProject } from '../operator/call.ts'
import { OutdatedAppError } from '../operator/outdated-app.ts'
import { readErasing } from './erasure-store.ts'

const Time = z.string()

const LIST_MAX = 1000

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
  brokenConnections: z
    .array(z.string())
    // Apps that an earlier version of the service shipped do not send this field.
    .default([])
    .describe('The services (`connect`) that refused the access of this person, who has to link them again.'),
  erasing: z
    .boolean()
    // Apps that an earlier version of the service shipped do not send this field.
    .default(false)
    .describe('The erasure of this person has begun and is not complete yet: signing in as them is refused.'),
})
type AppUser = z.output<typeof AppUser>

/** An unsent message to a user of the app. It may contain a code or a link that signs the user in. */
export const AppMail = z.object({
  id: z.int(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  createdAt: Time,
})

/** How many rows of each kind an erasure removed, and how many paid orders and shared records it kept without the person's name. */
export const ErasedPerson = z.object({
  userId: z.string(),
  removed: z.record(z.string(), z.int()),
  kept: z.object({ paidOrders: z.int(), sharedRecords: z.int() }),
})
export type ErasedPerson = z.output<typeof ErasedPerson>

/** Throws `not_found` for a string that cannot be a user's id. This saves a call to the app. */
export function requireUserId(id: string): string {
  if (!isUserId(id)) throw notFound('user')
  return id
}

const isUserId = (id: string) => /^u_[a-z0-9]{26}$/.test(id)

export const readPeople = async (
  ctx: PlatformPorts<'accounts'>,
  project: OperatedProject,
  limit: number,
): Promise<AppUser[]> => {
  const path = `/auth/users?limit=${limit}`
  const request = { tier: 'production', method: 'GET', path } as const
  return withErasures(
    ctx,
    project,
    await callOperator(ctx, project, { ...request, result: z.array(AppUser) }),
  )
}

/** Also marks people as erasing whose erasure is stored by the service but not begun by the app. */
async function withErasures(ctx: Core, project: OperatedProject, users: AppUser[]): Promise<AppUser[]> {
  const erasing = await readErasing(ctx, project)
  return users.map((user) => ({ ...user, erasing: user.erasing || erasing.has(user.id) }))
}

/** Records each read in the activity log, because a person who reads a code could sign in as someone else. */
export async function readOutbox(ctx: Context<'accounts'>, project: LoggedProject, limit: number) {
  const mail = await callOperator(ctx, project, {
    tier: 'production',
    method: 'GET',
    path: `/auth/outbox?limit=${limit}`,
    result: z.array(AppMail),
  })
  await recordPersonChange(ctx, project, 'app_outbox.read', {})
  return mail
}

export const AppUserPage = z.object({ items: z.array(AppUser), nextCursor: z.string().nullable() })

const CURSOR_FORMAT = /^(\d{4}-\d{2}-\d{2}T[\d:.]{8,12}Z)~(u_[a-z0-9]{26})$/

/** The format of `nextCursor`: the last person of a page. */
export const PeopleCursor = cursorParam.regex(CURSOR_FORMAT, 'is not a cursor of this list')

/** Returns one page of the people that match a search. Throws `not_enabled` for an app that an earlier version of the service shipped. */
export async function readPeoplePage(
  ctx: PlatformPorts<'accounts'>,
  project: OperatedProject,
  { q, limit, cursor }: { q?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<z.infer<typeof AppUserPage>> {
  const [, createdAt = '', id = ''] = CURSOR_FORMAT.exec(cursor ?? '') ?? []
  // Requests one person more than the page size, to learn whether there is a next page.
  const params = new URLSearchParams({
    limit: String(limit + 1),
    ...(q && { q }),
    ...(id && { createdAt, id }),
  })
  const path = `/auth/people?${params.toString()}`
  try {
    const request = { tier: 'production', method: 'GET', path } as const
    const found = await callOperator(ctx, project, { ...request, result: z.array(AppUser) })
    const items = await withErasures(ctx, project, found.slice(0, limit))
    const last = found.length > limit ? items.at(-1) : undefined
    return { items, nextCursor: last === undefined ? null : `${last.createdAt}~${last.id}` }
  } catch (error) {
    // An app that an earlier version of the service shipped cannot page its list. The list up to the limit is then the only page.
    if (!(error instanceof OutdatedAppError) || q !== undefined || cursor !== undefined) throw error
    return { items: await readPeople(ctx, project, limit), nextCursor: null }
  }
}

export async function setRole(
  ctx: Context<'accounts'>,
  project: LoggedProject,
  userId: string,
  role: 'staff' | 'member',
) {
  const user = await callOperator(ctx, project, {
    tier: 'production',
    method: 'POST',
    path: `/auth/users/${requireUserId(userId)}/role`,
    body: { role },
    result: AppUser,
  })
  await recordPersonChange(ctx, project, 'app_user.role', { userId, role })
  return user
}

/** Returns whether the app has this person. Calls the app. */
export async function hasPerson(
  ctx: PlatformPorts<'accounts'>,
  project: OperatedProject,
  userId: string,
): Promise<boolean> {
  const users = await readPeoplePage(ctx, project, { q: userId, limit: 1 }).then(
    ({ items }) => items,
    (error: unknown) => {
      // An app that an earlier version of the service shipped has no search, so read its whole list.
      if (error instanceof ApiError && error.code === 'not_enabled') return readPeople(ctx, project, LIST_MAX)
      throw error
    },
  )
  return users.some(({ id }) => id === userId)
}

/** Records a change of a person in the activity log, without the person's name and email address. */
async function recordPersonChange(
  ctx: CallerContext<'db' | 'clock'>,
  project: LoggedProject,
  action: string,
  { userId, role }: { userId?: string; role?: string },
): Promise<void> {
  await recordCallerChange(ctx, ctx.db, {
    provider: 'cloudflare',
    action,
    target: [userId, role].filter((part) => part !== undefined).join('/') || project.slug,
    projectId: project.id,
    projectName: project.name,
  })
}
