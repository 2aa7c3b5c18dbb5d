import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import type { Cloud } from '../cloudflare/client.ts'
import { CloudflareError } from '../cloudflare/errors.ts'
import { openCloud } from '../connections/cloud.ts'
import type { Db } from '../db/database.ts'
import { ensureLive } from '../deployments/live.ts'
import { rewireApps } from '../deployments/rewire.ts'
import { ApiError } from '../http/errors.ts'
import { defineJob } from '../jobs/jobs.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Platform } from '../platform.ts'
import { joinReason } from './capability.ts'
import { needsObject } from './catalog.ts'

/** Seconds before each attempt while the account does not answer: 77 s in all. */
const SCHEDULE_SECONDS = [0, 2, 5, 10, 20, 40]

/**
 * Makes what the switched-on capabilities of a project need, and cuts the wire of what was switched off; one line
 * of jobs per project, in order.
 */
export const provisionJob = defineJob({
  name: 'provision',
  data: z.object({ orgId: z.string(), projectId: z.string(), actor: z.string(), rewire: z.boolean() }),
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
    await provisionPending(platform, project, { actor: data.actor, signal, repair: false })
    if (data.rewire) await cutWires(platform, project, data.actor, signal)
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

interface Provisioned {
  id: string
  org_id: string
  name: string
  slug: string
}

type Row = Awaited<ReturnType<typeof readRows>>[number]

/**
 * Provisions every capability that has not settled; with `repair` also those that ended in an error. The outcome
 * is in the rows: `idle`, or `error` with its reason.
 */
export async function provisionPending(
  platform: Platform,
  project: Provisioned,
  options: { actor: string; signal: AbortSignal; repair: boolean },
): Promise<void> {
  const rows = await readRows(platform.db, project.id)
  const isPending = (row: Row) =>
    row.state === 'creating' || (options.repair && row.enabled && row.state === 'error')
  const pending = rows.filter(isPending)
  if (pending.length === 0) return
  const enabled = new Set(rows.filter((row) => row.enabled).map((row) => row.key))
  const needed = new Set([...enabled, ...pending.map((row) => row.key)])
  const reason = await attemptAll(options.signal, async () => {
    const cloud = await openCloud(platform, {
      orgId: project.org_id,
      actor: options.actor,
      project,
      signal: options.signal,
    })
    await provision(platform, cloud, project, needed)
  })
  for (const row of pending) await settle(platform.db, row, reason)
}

async function provision(
  platform: Platform,
  cloud: Cloud,
  project: Provisioned,
  needed: ReadonlySet<string>,
): Promise<void> {
  if (needsObject(needed)) await ensureLive(platform, cloud, project, { enabled: needed, verify: true })
}

/** What was switched off must stop reaching the app now, not at the next ship. */
async function cutWires(
  platform: Platform,
  project: Provisioned,
  actor: string,
  signal: AbortSignal,
): Promise<void> {
  const rows = await readRows(platform.db, project.id)
  const enabled = new Set(rows.filter((row) => row.enabled).map((row) => row.key))
  const cloud = await openCloud(platform, { orgId: project.org_id, actor, project, signal })
  await rewireApps(platform, cloud, project, enabled)
}

/** Runs `work` until it succeeds or nothing more is to be hoped for; answers the reason it failed, or null. */
async function attemptAll(signal: AbortSignal, work: () => Promise<void>): Promise<string | null> {
  for (const [attempt, seconds] of SCHEDULE_SECONDS.entries()) {
    await sleep(seconds * 1000, undefined, { signal })
    try {
      await work()
      return null
    } catch (error) {
      const isLast = attempt === SCHEDULE_SECONDS.length - 1
      if (error instanceof ProviderError && error.retryable && !isLast) continue
      // Anything else is our own fault or the database's: the job itself is repeated.
      if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
      const code = error instanceof CloudflareError ? error.fault : 'upstream'
      return joinReason({ code: error instanceof ApiError ? 'reconnect' : code, message: error.message })
    }
  }
  return null
}

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
