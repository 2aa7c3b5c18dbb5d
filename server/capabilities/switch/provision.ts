import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { chooseUploadPlace, lastUploadsName } from '../../attachments/upload-place.ts'
import { openCloud } from '../../connections/cloud.ts'
import { accountIdOf } from '../../connections/home.ts'
import type { Db } from '../../db/database.ts'
import { defineJob } from '../../jobs/jobs.ts'
import type { Platform } from '../../platform.ts'
import { joinReason } from '../capability.ts'
import { capabilityOf, isCapabilityKey } from '../catalog.ts'
import { makeResources, type Provisioned } from './make-resources.ts'
import { attempt } from './retry.ts'
import { carryOutRebind } from './rebind-due.ts'

// Whoever switches on several does so at once: what comes within this time is made together, and what they share once.
const GATHER_MS = 40

/**
 * Makes what the switched-on capabilities of a project need, and takes the bindings of what was switched off from the
 * app; one line of jobs per project, in order.
 */
export const provisionJob = defineJob({
  name: 'provision',
  data: z.object({ orgId: z.string(), projectId: z.string(), actor: z.string() }),
  policy: 'key_strict_fifo',
  key: (data) => data.projectId,
  retryLimit: 5,
  expireSeconds: 300,
  concurrency: 4,
  run: async (platform, { data, signal }) => {
    const project = await platform.db
      .selectFrom('projects')
      .select(['id', 'org_id', 'name', 'slug'])
      .where('org_id', '=', data.orgId)
      .where('id', '=', data.projectId)
      .executeTakeFirst()
    if (project === undefined) return
    await sleep(GATHER_MS, undefined, { signal })
    await provisionPending(platform, project, { actor: data.actor, signal, repair: false })
    await carryOutRebind(platform, project, { actor: data.actor, signal })
  },
  abandon: async (platform, data) => {
    const reason = joinReason({
      code: 'upstream',
      message: 'Something went wrong on our side. Switch it on again.',
    })
    const rows = await readRows(platform.db, data.projectId)
    for (const row of rows.filter(({ state }) => state === 'creating')) await settle(platform.db, row, reason)
  },
})

type Row = Awaited<ReturnType<typeof readRows>>[number]

/**
 * Provisions every capability that has not settled, side by side; with `repair` also those that ended in an error.
 * The outcome is in the rows: `idle`, or `error` with its reason.
 */
export async function provisionPending(
  platform: Platform,
  project: Provisioned,
  options: { actor: string; signal: AbortSignal; repair: boolean },
): Promise<void> {
  const rows = await readRows(platform.db, project.id)
  const made = await readMade(platform.db, project)
  const isMade = (row: Row) =>
    !isCapabilityKey(row.key) ||
    capabilityOf(row.key)
      .resources({ ...project, uploads: made.uploads })
      .every(({ kind, name }) => made.things.has(`${kind} ${name}`))
  const isPending = (row: Row) =>
    row.state === 'creating' ||
    // Named after an address the project had before its first build.
    (row.enabled && row.state === 'idle' && !isMade(row)) ||
    (options.repair && row.enabled && row.state === 'error')
  const pending = rows.filter(isPending)
  if (pending.length === 0) return
  const { actor, signal } = options
  const enabled = new Set(rows.filter((row) => row.enabled || isPending(row)).map((row) => row.key))
  const open = () => openCloud(platform, { orgId: project.org_id, actor, project, signal })
  const resources = makeResources({ platform, project, enabled, actor, signal, open })
  await Promise.all(
    pending.map(async (row) => {
      const reason = await attempt(signal, async () => {
        const specs = isCapabilityKey(row.key)
          ? capabilityOf(row.key).resources(await named(platform, project))
          : []
        await Promise.all(specs.map((spec) => resources.make(row.key, spec)))
      })
      await settle(platform.db, row, reason)
    }),
  )
}

/** What stands in the registry for a project where it lives, or anywhere while no account is connected, as `<kind> <name>`. */
async function readMade(db: Db, project: Provisioned) {
  const accountId = await accountIdOf(db, project.org_id, project.id)
  const rows = await db
    .selectFrom('resources')
    .select(['kind', 'name'])
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('tier', '=', 'shared')
    .$if(accountId !== null, (all) => all.where('account_id', '=', accountId))
    .execute()
  const uploads = (await lastUploadsName(db, project)) ?? undefined
  return { uploads, things: new Set(rows.map(({ kind, name }) => `${kind} ${name}`)) }
}

/** The project with the name its uploads have in the connected account. */
const named = async (platform: Platform, project: Provisioned) => ({
  ...project,
  uploads: (await chooseUploadPlace(platform, project)).name,
})

/** A row that changed meanwhile belongs to the job that its change has sent. */
async function settle(db: Db, row: Row, reason: string | null): Promise<void> {
  await db
    .updateTable('capabilities')
    .set({ state: reason === null ? 'idle' : 'error', error: reason })
    .where('project_id', '=', row.project_id)
    .where('key', '=', row.key)
    .where('generation', '=', row.generation)
    .execute()
}

async function readRows(db: Db, projectId: string) {
  return await db
    .selectFrom('capabilities')
    .select(['project_id', 'key', 'enabled', 'state', 'generation'])
    .where('project_id', '=', projectId)
    .execute()
}
