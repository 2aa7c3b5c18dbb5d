import type { Cloud } from '../cloudflare/client.ts'
import { actorOf } from '../connections/cloud.ts'
import { type Db, transact, type Trx } from '../db/database.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import type { Context } from '../endpoint.ts'
import { recordActivity } from '../activity/log.ts'
import { detachOwnDomain } from '../resources/kinds/custom-domain.ts'
import { deleteResourceRow } from '../resources/registry.ts'
import { conflict } from '../http/errors.ts'
import type { Core } from '../platform.ts'
import { loadProject } from '../projects/projects.ts'
import { changeDomain, syncLiveUrl, readDomainAttachment, readDomain } from './domains.ts'
import { withLease } from '../leases/lease.ts'
import { domainStatus } from './status.ts'

const LEASE = { purpose: 'domain', waitMs: 10_000 } as const

type DomainAttachment = NonNullable<Awaited<ReturnType<typeof readDomainAttachment>>>

/** Detaches the project's host name and deletes it from the project. Does nothing when the project has none. */
export async function removeProjectDomain(ctx: Context<'accounts'>, projectId: string) {
  const project = await loadProject(ctx, projectId)
  const actor = actorOf(ctx.caller)
  const row = await readDomain(ctx.db, project)
  if (row !== null) {
    // When the domain is not attached, no call to the account is needed, so the account need not be connected.
    const cloud =
      (await readDomainAttachment(ctx.db, project)) === null
        ? null
        : await ctx.accounts.openCloud({ orgId: project.org_id, actor, project })
    await withLease(ctx, project, LEASE, async (hold) => {
      const attached = await readDomainAttachment(ctx.db, project)
      if (attached !== null) {
        if (cloud === null) throw conflict('The domain has just been attached. Try again.')
        await hold(ctx.db)
        await detachFromWorker(cloud, attached)
      }
      await transact(ctx.db, async (trx) => {
        await hold(trx)
        await forgetAttachment(trx, project, attached)
        const { numDeletedRows } = await trx
          .deleteFrom('domains')
          .where('org_id', '=', project.org_id)
          .where('project_id', '=', project.id)
          .executeTakeFirst()
        // Another request has removed and recorded the domain.
        if (numDeletedRows === 0n) return
        await syncLiveUrl(trx, project)
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
 * Detaches the host name of a project that goes offline. The project keeps the name. Its next production deployment
 * attaches the name again if no other project has taken it in the meantime.
 */
export async function detachDomain(platform: Core, cloud: Cloud, project: ProjectIds): Promise<void> {
  if ((await readDomainAttachment(platform.db, project)) === null) return
  await withLease(platform, project, LEASE, async (hold) => {
    const attached = await readDomainAttachment(platform.db, project)
    if (attached === null) return
    await hold(platform.db)
    await detachFromWorker(cloud, attached)
    await transact(platform.db, async (trx) => {
      await hold(trx)
      await forgetAttachment(trx, project, attached)
      await changeDomain(trx, project, { url: null, seen_at: null, problem: null })
      await syncLiveUrl(trx, project)
    })
  })
}

/**
 * Detaches the host name from its worker. Throws when the name is attached in another account than `cloud`: the name
 * would not be found in `cloud`, and its record would be deleted although the name is still attached.
 */
async function detachFromWorker(cloud: Cloud, attached: DomainAttachment): Promise<void> {
  if (attached.account_id !== cloud.accountId)
    throw conflict(
      `${attached.name} is attached in the Cloudflare account ${attached.account_id}, which is not the connected one.`,
    )
  await detachOwnDomain(cloud, attached)
}

async function forgetAttachment(
  db: Db | Trx,
  project: ProjectIds,
  attached: DomainAttachment | null,
): Promise<void> {
  if (attached !== null) await deleteResourceRow(db, project, attached.id)
}
