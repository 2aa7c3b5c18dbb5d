import { CloudflareError } from '../../cloudflare/errors.ts'
import { actorOf } from '../../connections/cloud.ts'
import { transact } from '../../db/database.ts'
import type { Context } from '../../endpoint.ts'
import { eraseFromActivity, recordActivity } from '../../activity/log.ts'
import { ApiError } from '../../http/errors.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import { requireNotMoving } from '../../moves/moves.ts'
import type { Core, PlatformPorts } from '../../platform.ts'
import { findProject } from '../../projects/store.ts'
import type { ProjectRef } from '../../resources/work.ts'
import type { ScheduledTask } from '../../scheduled-task.ts'
import { callOperator } from '../operator/call.ts'
import {
  deleteErasure,
  type ErasureKey,
  recordErasure,
  readDueErasures,
  readErasing,
  takeErasure,
} from './erasure-store.ts'
import { ErasedPerson, hasPerson, requireUserId } from './people.ts'

/**
 * Erases a person of the live app and returns what was removed. The erasure is stored before the app is called, so
 * `resumeErasures` continues the erasure when this call or process ends early. Throws `not_found` for an unknown or already
 * erased person.
 */
export async function erasePerson(
  ctx: Context<'accounts'>,
  project: ProjectRef,
  userId: string,
): Promise<ErasedPerson> {
  const erasure = { project, userId: requireUserId(userId), actor: actorOf(ctx.caller) }
  const isNoted = (await readErasing(ctx, project)).has(userId) || (await hasPerson(ctx, project, userId))
  if (isNoted) await recordErasure(ctx, erasureKey(project, userId), erasure.actor)
  try {
    const report = await callErase(ctx, erasure)
    await completeErasure(ctx, erasure, { isNoted })
    return report
  } catch (error) {
    if (isNoted && isAlreadyErased(error)) await completeErasure(ctx, erasure, { isNoted })
    if (!isNoted || !(error instanceof CloudflareError)) throw error
    const { fault, status } = error
    const message = `${error.message} The service continues until this person is erased.`
    throw new CloudflareError(fault, message, { status, retryable: true, cause: error })
  }
}

/** Repeats the calls of interrupted erasures until the apps confirm them. */
export const resumeErasures: ScheduledTask<PlatformPorts<'accounts'>> = {
  name: 'resume-erasures',
  every: 'minute',
  async run(platform, signal) {
    const due = await readDueErasures(platform)
    await Promise.all(due.map((key) => resumeErasure(platform, key, signal)))
  },
}

interface UserErasure {
  project: ProjectRef
  userId: string
  actor: string
}

const callErase = (
  platform: PlatformPorts<'accounts'>,
  { project, userId }: UserErasure,
  signal?: AbortSignal,
): Promise<ErasedPerson> =>
  callOperator(platform, project, {
    tier: 'production',
    method: 'DELETE',
    path: `/auth/users/${userId}`,
    result: ErasedPerson,
    signal,
  })

const erasureKey = (project: ProjectRef, userId: string): ErasureKey => ({
  orgId: project.org_id,
  projectId: project.id,
  userId,
})

/** While an erasure is stored, `not_found` from the app means that the person is already erased. */
const isAlreadyErased = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found'

/**
 * Records in the activity log that a person was erased, and removes the person's id from the whole log. When several
 * calls complete the same erasure, only the first call records it.
 */
async function completeErasure(
  { db, clock }: Core,
  { project, userId, actor }: UserErasure,
  { isNoted }: { isNoted: boolean },
): Promise<void> {
  await transact(db, async (trx) => {
    const isFirst = await deleteErasure(trx, erasureKey(project, userId))
    if (isNoted && !isFirst) return
    await eraseFromActivity(trx, { orgId: project.org_id, projectId: project.id, word: userId })
    await recordActivity(trx, {
      orgId: project.org_id,
      at: clock.now(),
      provider: 'cloudflare',
      actor,
      action: 'app_user.erase',
      target: project.slug,
      status: 'ok',
      projectId: project.id,
      projectName: project.name,
      detail: 'A person was erased. The log does not name them.',
    })
  })
}

async function resumeErasure(
  platform: PlatformPorts<'accounts'>,
  key: ErasureKey,
  signal: AbortSignal,
): Promise<void> {
  const actor = await takeErasure(platform, key)
  const project = await findProject(platform.db, key)
  if (actor === null || project === null || project.deleting_at !== null) return
  const erasure = { project, userId: key.userId, actor }
  try {
    await requireNotMoving(platform.db, project)
    await callErase(platform, erasure, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!isAlreadyErased(error)) {
      if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
      platform.log.warn({ err: error, projectId: project.id }, 'an erasure could not be continued yet')
      return
    }
  }
  await completeErasure(platform, erasure, { isNoted: true })
}
