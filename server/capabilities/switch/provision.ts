import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { CloudflareError } from '../../cloudflare/errors.ts'
import { accountIdOf } from '../../connections/cloud.ts'
import type { Db } from '../../db/database.ts'
import { ApiError } from '../../http/errors.ts'
import { defineJob } from '../../jobs/jobs.ts'
import type { PlatformPorts } from '../../platform.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import { listShared } from '../../resources/list.ts'
import { lastUploadsName } from '../../resources/uploads-name.ts'
import { StripeError } from '../../stripe/errors.ts'
import { withLease } from '../../leases/lease.ts'
import { memoizePromise } from '../../lib/shared.ts'
import { findProject } from '../../projects/store.ts'
import type { MakingPorts, ProjectRef, ResourceWork } from '../../resources/work.ts'
import { joinReason } from '../../capability-declaration/capability.ts'
import { capabilityOf, isCapabilityKey } from '../../capability-catalog/catalog.ts'
import { ACTIONS } from '../actions.ts'
import { waitUntilStable } from './wait-until-stable.ts'
import { ResourceMaker } from './make-resources.ts'
import { provisionKind } from '../../capability-state/provision-kind.ts'
import { rebindWhenDue } from './rebind-due.ts'

/**
 * Creates the resources of enabled capabilities, and updates the bindings of the deployed live app and preview. Jobs
 * of one project run one after the other.
 */
export const provisionJob = defineJob({
  ...provisionKind,
  retryLimit: 5,
  expireSeconds: 300,
  concurrency: 4,
  run: async (platform: PlatformPorts<MakingPorts>, { data, signal }) => {
    const project = await findProject(platform.db, data)
    if (project === null) return
    const work = { platform, project, actor: data.actor, signal }
    await runAlone(work, (resources) => provisionGathered(work, resources))
    await rebindWhenDue(work, { isDeployJob: false })
  },
  abandon: async (platform, data) => {
    const reason = joinReason({
      code: 'upstream',
      message: 'Something went wrong on our side. Switch it on again.',
    })
    // Read before the jobs: a capability that is switched on in between has a new generation, so its row stays unchanged.
    const rows = await readCapabilityRows(platform.db, data.projectId)
    if (await isProvisionJobWaiting(platform.db, data.projectId)) return
    for (const row of rows.filter(({ state }) => state === 'creating'))
      await storeProvision(platform.db, row, reason)
  },
})

/** Returns whether a later job will provision the project. It skips capabilities in the state `error`, so they must stay `creating`. */
async function isProvisionJobWaiting(db: Db, projectId: string): Promise<boolean> {
  const { rows } = await sql`select from pgboss.job
    where name = ${provisionKind.name} and singleton_key = ${projectId} and state in ('created', 'retry', 'active')`.execute(
    db,
  )
  return rows.length > 0
}

/** Provisions changes together that are made at about the same time. */
async function provisionGathered(
  work: Omit<ResourceWork<MakingPorts>, 'cloud'>,
  resources: ResourceMaker,
): Promise<void> {
  const { platform, project, signal } = work
  // Resources that depend on no other resource are started at once. Resources shared by several capabilities are
  // created once, after `waitUntilStable`, for all capabilities enabled at the same time.
  const look = async () => {
    const rows = await readCapabilityRows(platform.db, project.id)
    for (const { key, state, generation } of rows)
      if (state === 'creating' && isCapabilityKey(key)) resources.begin(key, generation)
    return generationsText(rows)
  }
  await waitUntilStable(look, { signal })
  await provisionRows(work, { repair: false }, resources)
}

export const isProvisioning = async (db: Db, projectId: string): Promise<boolean> =>
  (await readCapabilityRows(db, projectId)).some(({ state }) => state === 'creating')

type CapabilityRow = Awaited<ReturnType<typeof readCapabilityRows>>[number]

/** How often a running job looks for capabilities that were enabled or changed after it started. */
const LOOK_AGAIN_MS = 1_000

/**
 * Provisions what a deployment or a reconciliation needs: every capability in the state `creating`, and with `repair` also
 * every capability in the state `error`. Waits while the provisioning job of the project runs.
 */
export async function provisionPending(
  work: Omit<ResourceWork<MakingPorts>, 'cloud'>,
  options: { repair: boolean },
): Promise<void> {
  await runAlone(work, (resources) => provisionRows(work, options, resources))
}

/**
 * Runs `run` under a lease, so that a job and a deployment of the same project, even in two processes, provision one after the other.
 * Otherwise a resource whose name need not be unique at Cloudflare could be created twice. Waits for all started attempts, even after a
 * failure.
 */
async function runAlone(
  work: Omit<ResourceWork<MakingPorts>, 'cloud'>,
  run: (resources: ResourceMaker) => Promise<void>,
): Promise<void> {
  const { platform, project, signal } = work
  await withLease(platform, project, { purpose: 'provisioning', signal }, async () => {
    const resources = openResources(work)
    try {
      await run(resources)
    } finally {
      await resources.ended()
    }
  })
}

/**
 * Provisions every capability in the state `creating` in parallel; with `repair` also every capability in the state `error`. Includes
 * capabilities that are enabled or changed meanwhile: one capability can take more than a minute, and the others must not wait for it.
 * Stores the result in the rows: `idle`, or `error` with a reason.
 */
async function provisionRows(
  work: Omit<ResourceWork<MakingPorts>, 'cloud'>,
  { repair }: { repair: boolean },
  resources: ResourceMaker,
): Promise<void> {
  const { platform, project, signal } = work
  const made = await readMadeResources(platform.db, project)
  const isMade = (row: CapabilityRow) =>
    !isCapabilityKey(row.key) ||
    capabilityOf(row.key)
      .resources({ ...project, uploads: made.uploads })
      .every(({ kind, name }) => made.resources.has(`${kind} ${name}`))
  const isPending = (row: CapabilityRow) =>
    row.state === 'creating' ||
    // Resource names contain the slug. So resources are missing after the project was renamed, because the existing
    // names contain the former slug.
    (row.enabled && row.state === 'idle' && !isMade(row)) ||
    (repair && row.enabled && row.state === 'error')

  const attempts: Promise<void>[] = []
  /** The generation that each capability had when it was last provisioned. */
  const begun = new Map<string, number>()
  const running = new Set<string>()
  const provision = async (row: CapabilityRow) => {
    begun.set(row.key, row.generation)
    running.add(row.key)
    const reason = await attempt(signal, async () => {
      if (!isCapabilityKey(row.key)) return
      await resources.provide(row.key, row.generation)
      const { afterResources } = ACTIONS[row.key] ?? {}
      if (afterResources !== undefined) await afterResources({ ...work, cloud: await resources.open() })
    })
    await storeProvision(platform.db, row, reason)
    running.delete(row.key)
  }
  const startNew = async (isNew: (row: CapabilityRow) => boolean) => {
    const rows = await readCapabilityRows(platform.db, project.id)
    const added = rows.filter(
      (row) => !running.has(row.key) && begun.get(row.key) !== row.generation && isNew(row),
    )
    if (added.length === 0) return
    const pending = new Set([...running, ...added.map((row) => row.key)])
    const enabled = new Set(rows.filter((row) => row.enabled || pending.has(row.key)).map((row) => row.key))
    resources.deployFor({ enabled, pending })
    attempts.push(...added.map(provision))
  }

  try {
    await startNew(isPending)
    while (running.size > 0) {
      await Promise.race([Promise.all(attempts), sleep(LOOK_AGAIN_MS, undefined, { signal })])
      if (running.size > 0) await startNew((row) => row.state === 'creating')
    }
    await Promise.all(attempts)
  } finally {
    // When one attempt fails, wait for the others: their resources must exist before the next run looks for them.
    await Promise.allSettled(attempts)
  }
}

function openResources(work: Omit<ResourceWork<MakingPorts>, 'cloud'>): ResourceMaker {
  const { platform, project, actor, signal } = work
  const open = memoizePromise(() =>
    platform.accounts.openCloud({ orgId: project.org_id, actor, project, signal }),
  )
  return new ResourceMaker({ ...work, open })
}

async function readMadeResources(db: Db, project: ProjectRef) {
  const accountId = await accountIdOf(db, project.org_id, project.id)
  const uploads = (await lastUploadsName(db, project)) ?? undefined
  return { uploads, resources: await listShared(db, project, accountId) }
}

/**
 * Stores the result of provisioning. Does nothing when the capability was changed during provisioning, because the job
 * of the change stores a result. A capability that was disabled meanwhile gets no error, because the app does not need its
 * resources; enabling it again creates them.
 */
async function storeProvision(db: Db, row: CapabilityRow, reason: string | null): Promise<void> {
  const error = row.enabled ? reason : null
  await db
    .updateTable('capabilities')
    .set({ state: error === null ? 'idle' : 'error', error })
    .where('project_id', '=', row.project_id)
    .where('key', '=', row.key)
    .where('generation', '=', row.generation)
    .execute()
}

/** Returns a string that differs after each change of a capability. */
const generationsText = (rows: CapabilityRow[]): string =>
  rows
    .map(({ key, generation }) => `${key} ${generation}`)
    .toSorted()
    .join()

async function readCapabilityRows(db: Db, projectId: string) {
  return await db
    .selectFrom('capabilities')
    .select(['project_id', 'key', 'enabled', 'state', 'generation'])
    .where('project_id', '=', projectId)
    .execute()
}

/** The seconds to wait before each attempt, 77 s in total. */
const RETRY_DELAYS_SECONDS = [0, 2, 5, 10, 20, 40]

/**
 * Repeats `work` while its failure is retryable. Returns null after success, otherwise the reason of the last failure. Throws an error
 * that is neither a `ProviderError` nor an `ApiError`.
 */
async function attempt(signal: AbortSignal, work: () => Promise<void>): Promise<string | null> {
  for (const [index, seconds] of RETRY_DELAYS_SECONDS.entries()) {
    await sleep(seconds * 1000, undefined, { signal })
    try {
      await work()
      return null
    } catch (error) {
      const isLast = index === RETRY_DELAYS_SECONDS.length - 1
      if (error instanceof ProviderError && error.retryable && !isLast) continue
      if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
      const isNamed = error instanceof CloudflareError || error instanceof StripeError
      const code = isNamed ? error.fault : 'upstream'
      return joinReason({ code: error instanceof ApiError ? 'reconnect' : code, message: error.message })
    }
  }
  return null
}
