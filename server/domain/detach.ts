import type { Cloud } from '../cloudflare/client.ts'
import { findDomain, removeDomain } from '../cloudflare/domains.ts'
import { actorOf, openCloud } from '../connections/cloud.ts'
import { type Db, transact, type Trx } from '../db/database.ts'
import { recordActivity } from '../events/activity.ts'
import { forgetResource } from '../resources/registry.ts'
import { conflict } from '../http/errors.ts'
import type { Context, Platform } from '../platform.ts'
import { loadProject } from '../projects/projects.ts'
import { changeDomain, followDomain, readAttachment, readDomain } from './domains.ts'
import { whileLeased } from './lease.ts'
import { domainStatus } from './status.ts'

const PATIENCE_MS = 10_000

interface Owner {
  id: string
  org_id: string
}

type Attachment = NonNullable<Awaited<ReturnType<typeof readAttachment>>>

/** Takes the project's host name off its app and forgets it; without one nothing happens. */
export async function removeProjectDomain(ctx: Context, projectId: string) {
  const project = await loadProject(ctx, projectId)
  const actor = actorOf(ctx.caller)
  const row = await readDomain(ctx.db, project)
  if (row !== null) {
    // Without an attachment nothing stands in the account, which may not even be connected.
    const cloud =
      (await readAttachment(ctx.db, project)) === null
        ? null
        : await openCloud(ctx, { orgId: project.org_id, actor, project })
    await whileLeased(ctx, project, PATIENCE_MS, async () => {
      const attached = await readAttachment(ctx.db, project)
      if (attached !== null) {
        if (cloud === null) throw conflict('The domain has just been attached. Try again.')
        await takeOff(cloud, attached)
      }
      await transact(ctx.db, async (trx) => {
        await forget(trx, project, attached)
        await trx
          .deleteFrom('domains')
          .where('org_id', '=', project.org_id)
          .where('project_id', '=', project.id)
          .execute()
        await followDomain(trx, project)
        await recordActivity(trx, {
          orgId: project.org_id,
          at: ctx.clock.now(),
          provider: 'slipway',
          actor,
          action: 'domain.removed',
          target: row.hostname,
          status: 'ok',
          projectId: project.id,
          projectName: project.name,
        })
      })
    })
  }
  return await domainStatus(ctx, await loadProject(ctx, projectId), { actor, fresh: false })
}

/**
 * Takes the host name off a project that goes offline. It stays the project's wish, so that the next ship attaches it
 * again; another project may take it meanwhile.
 */
export async function detachDomain(platform: Platform, cloud: Cloud, project: Owner): Promise<void> {
  if ((await readAttachment(platform.db, project)) === null) return
  await whileLeased(platform, project, PATIENCE_MS, async () => {
    const attached = await readAttachment(platform.db, project)
    if (attached === null) return
    await takeOff(cloud, attached)
    await transact(platform.db, async (trx) => {
      await forget(trx, project, attached)
      await changeDomain(trx, project, { url: null, seen_at: null, problem: null })
      await followDomain(trx, project)
    })
  })
}

/** Asking the wrong account would be told "no such name" and forget what stands elsewhere. */
async function takeOff(cloud: Cloud, attached: Attachment): Promise<void> {
  if (attached.account_id !== cloud.accountId)
    throw conflict(
      `${attached.name} is attached in the Cloudflare account ${attached.account_id}, which is not the connected one.`,
    )
  await detachOurs(cloud, attached)
}

/** Removes the name from the account where it is still what was made for this row; what a person made since stays. */
export async function detachOurs(
  cloud: Cloud,
  attached: { name: string; provider_id: string | null },
): Promise<void> {
  const found = await findDomain(cloud, attached.name)
  const isOurs = found !== null && (attached.provider_id === null || attached.provider_id === found.id)
  if (isOurs) await removeDomain(cloud, found, attached.name)
}

async function forget(db: Db | Trx, project: Owner, attached: Attachment | null): Promise<void> {
  if (attached !== null) await forgetResource(db, project, attached.id)
}
