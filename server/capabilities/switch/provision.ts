import { accountIdOf } from '../../connections/project-account.ts'
import type { Db } from '../../db/database.ts'
import { defineJob } from '../../jobs/jobs.ts'
import { listShared } from '../../resources/list.ts'
import { lastUploadsName } from '../../resources/uploads-name.ts'
import { shared } from '../../lib/shared.ts'
import { findProject } from '../../projects/store.ts'
import type { MakingPorts, ProjectRef, Work } from '../../resources/work.ts'
import { joinReason } from '../../capability-declaration/capability.ts'
import { capabilityOf, isCapabilityKey } from '../../capability-catalog/catalog.ts'
import { syncMail } from '../email/sync.ts'
import { syncPayments } from '../pay/sync.ts'
import { gatherChanges } from './gather.ts'
import { makeResources } from './make-resources.ts'
import { provisionKind } from '../../capability-state/provision-kind.ts'
import { rebindWhenDue } from './rebind-due.ts'
import { attempt } from './retry.ts'

/**
 * Makes the resources of enabled capabilities, and updates the bindings of the deployed live app and preview.
 * Jobs of one project run one after the other.
 */
export const provisionJob = defineJob({
  ...provisionKind,
  retryLimit: 5,
  expireSeconds: 300,
  concurrency: 4,
  run: async (platform, { data, signal }) => {
    const project = await findProject(platform.db, data)
    if (project === null) return
    const work = { platform, project, actor: data.actor, signal }
    const resources = openResources(work)
    // Starts the resources that belong to one capability alone at once. Shared resources are made after `gatherChanges`, once for all
    // capabilities enabled at the same time.
    const look = async () => {
      const rows = await readRows(platform.db, project.id)
      for (const { key, state, generation } of rows)
        if (state === 'creating' && isCapabilityKey(key)) resources.begin(key, generation)
      return inWords(rows)
    }
    try {
      await gatherChanges(look, { signal })
      await provisionPending(work, { repair: false }, resources)
    } finally {
      // The next job of the project must not make the same resources at the same time.
      await resources.ended()
    }
    await rebindWhenDue(work)
  },
  abandon: async (platform, data) => {
    const reason = joinReason({
      code: 'upstream',
      message: 'Something went wrong on our side. Switch it on again.',
    })
    const rows = await readRows(platform.db, data.projectId)
    for (const row of rows.filter(({ state }) => state === 'creating'))
      await storeProvision(platform.db, row, reason)
  },
})

export const isProvisioning = async (db: Db, projectId: string): Promise<boolean> =>
  (await readRows(db, projectId)).some(({ state }) => state === 'creating')

type Row = Awaited<ReturnType<typeof readRows>>[number]

/**
 * Provisions every capability in the state `creating` in parallel; with `repair` also those in `error`. Stores the result in the rows:
 * `idle`, or `error` with its reason.
 */
export async function provisionPending(
  work: Omit<Work<MakingPorts>, 'cloud'>,
  { repair }: { repair: boolean },
  { open, ...resources } = openResources(work),
): Promise<void> {
  const { platform, project, signal } = work
  const [rows, made] = await Promise.all([readRows(platform.db, project.id), readMade(platform.db, project)])
  const isMade = (row: Row) =>
    !isCapabilityKey(row.key) ||
    capabilityOf(row.key)
      .resources({ ...project, uploads: made.uploads })
      .every(({ kind, name }) => made.resources.has(`${kind} ${name}`))
  const isPending = (row: Row) =>
    row.state === 'creating' ||
    // After a rename of the project, the resources still have names made from the old slug.
    (row.enabled && row.state === 'idle' && !isMade(row)) ||
    (repair && row.enabled && row.state === 'error')
  const pending = rows.filter(isPending)
  if (pending.length === 0) return
  const enabled = new Set(rows.filter((row) => row.enabled || isPending(row)).map((row) => row.key))
  const together = { enabled, pending: new Set(pending.map((row) => row.key)) }
  await Promise.all(
    pending.map(async (row) => {
      const reason = await attempt(signal, async () => {
        if (isCapabilityKey(row.key)) await resources.provide(row.key, row.generation, together)
        // Mail is routed to the live worker, which now exists.
        if (row.key === 'email') await syncMail({ ...work, cloud: await open() })
        if (row.key === 'pay') await syncPayments({ ...work, cloud: await open() })
      })
      await storeProvision(platform.db, row, reason)
    }),
  )
}

function openResources(work: Omit<Work<MakingPorts>, 'cloud'>) {
  const { platform, project, actor, signal } = work
  const open = shared(() => platform.accounts.openCloud({ orgId: project.org_id, actor, project, signal }))
  return { open, ...makeResources({ ...work, open }) }
}

async function readMade(db: Db, project: ProjectRef) {
  const accountId = await accountIdOf(db, project.org_id, project.id)
  const uploads = (await lastUploadsName(db, project)) ?? undefined
  return { uploads, resources: await listShared(db, project, accountId) }
}

/** Skips a row that was changed in the meantime. The job of that change stores its result. */
async function storeProvision(db: Db, row: Row, reason: string | null): Promise<void> {
  await db
    .updateTable('capabilities')
    .set({ state: reason === null ? 'idle' : 'error', error: reason })
    .where('project_id', '=', row.project_id)
    .where('key', '=', row.key)
    .where('generation', '=', row.generation)
    .execute()
}

/** Returns a text that differs after any capability has changed. */
const inWords = (rows: Row[]): string =>
  rows
    .map(({ key, generation }) => `${key} ${generation}`)
    .toSorted()
    .join()

async function readRows(db: Db, projectId: string) {
  return await db
    .selectFrom('capabilities')
    .select(['project_id', 'key', 'enabled', 'state', 'generation'])
    .where('project_id', '=', projectId)
    .execute()
}
