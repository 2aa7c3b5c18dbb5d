import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { adminWorker, sharedObject } from '../capability-declaration/capability.ts'
import { capabilityOf } from '../capability-catalog/catalog.ts'
import { jobsName } from '../capabilities/queue/declaration.ts'
import { ResourceMaker } from '../capabilities/switch/make-resources.ts'
import { adminWorkerAddress } from '../capabilities/operator/call.ts'
import { countMessages, findQueue } from '../cloudflare/products/queues.ts'
import { disableAddress } from '../cloudflare/products/workers.ts'
import { appName } from '../resource-names.ts'
import { listResources } from '../resources/list.ts'
import { waitUntilHealthy } from '../resources/probe.ts'
import { findResource } from '../resources/registry.ts'
import type { MakingPorts, ResourceWork } from '../resources/work.ts'
import { transact } from '../db/database.ts'
import { ApiError, conflict } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Core, PlatformPorts } from '../platform.ts'
import { type AppInAccount, holdApp, deleteAppData } from './app-transfer.ts'
import { CopyCursor, type CopyProgress, type CopyJob, type StepCursor, FIRST_FILES_STEP } from './copy/job.ts'
import { copyFiles } from './copy/files.ts'
import { copyMails } from './copy/mails.ts'
import { copyObjects } from './copy/objects.ts'
import { copyRows } from './copy/rows.ts'
import { copyUploads } from './copy-uploads.ts'
import { changeMove, lockHeldMove, type Move } from '../moves/moves.ts'
import { findProject } from '../projects/store.ts'

/** The first step after all files are copied. */
const FIRST_OBJECTS_STEP: StepCursor<'objects'> = { step: 'objects', bucket: null, after: null }

/** The longest time that one job copies, because a job may run for five minutes. The next job continues the copy. */
const COPY_JOB_MS_MAX = 180_000

interface CopyWork extends ResourceWork<MakingPorts> {
  enabled: ReadonlySet<string>
}

/**
 * Copies the data that the project stores in its former account. Attachments and assets are always copied. Records and files of the live
 * app are copied unless they are to be left behind. The app refuses changes from before its records are copied until the new account serves
 * the project or the deployment has failed. Returns false when the time is up; the next call continues.
 */
export async function copyProjectData(work: CopyWork, move: Move): Promise<boolean> {
  const { platform, project, actor, signal } = work
  const progress = progressOf(platform, move)
  let cursor: CopyCursor =
    move.cursor === null ? { step: 'uploads', after: '' } : CopyCursor.parse(JSON.parse(move.cursor))
  if (cursor.step === 'done') return true
  const { from, to } = await openApps(work, move)
  // The time limit begins only here, so that each job copies something even if opening the apps was slow.
  const giveUpAt = performance.now() + COPY_JOB_MS_MAX
  const isTimeUp = () => performance.now() > giveUpAt
  if (cursor.step === 'uploads') {
    const onCopied = (after: string) => progress.keep({ step: 'uploads', after })
    const uploads = { platform, project, fromAccount: move.from_account, actor, signal }
    const copied = await copyUploads(uploads, { after: cursor.after, onCopied, isTimeUp })
    if (copied === 'some') return false
    if (from !== null) {
      await requireEmptyQueue(work, move)
      await changeMove(platform.db, move, { is_held: true })
      await holdApp(from, true)
      // The app accepts no new jobs now, and the jobs that it accepted before must finish first.
      await requireEmptyQueue(work, move)
    }
    // Deletes the data that an earlier attempt copied, because it may have been changed or deleted in the old app since.
    if (to !== null) await deleteAppData(to)
    cursor = { step: 'rows', partition: null, after: null }
    await progress.keep(cursor)
  }
  if (from !== null && to !== null) {
    const job: CopyJob = { from, to, progress, isTimeUp }
    if (cursor.step === 'rows') {
      if (!(await copyRows(job, cursor))) return false
      cursor = FIRST_FILES_STEP
    }
    if (cursor.step === 'files') {
      if (!(await copyFiles(job, cursor))) return false
      cursor = FIRST_OBJECTS_STEP
      await progress.keep(cursor)
    }
    if (cursor.step === 'objects') {
      if (!(await copyObjects(job, cursor))) return false
      cursor = { step: 'mails', after: 0 }
      await progress.keep(cursor)
    }
    if (!(await copyMails(job, cursor.after))) return false
  }
  await progress.keep({ step: 'done' })
  return true
}

/**
 * Throws while jobs of the live app wait in the former account. They cannot be copied, because the provider delivers no message before it
 * is due.
 */
async function requireEmptyQueue(work: Omit<ResourceWork, 'cloud'>, move: Move): Promise<void> {
  const { platform, project, actor, signal } = work
  const name = jobsName(project, 'production')
  const accountId = move.from_account
  const rows = await listResources(platform.db, project)
  if (!rows.some((row) => row.kind === 'queue' && row.account_id === accountId && row.name === name)) return
  const cloud = await platform.accounts.openCloud({
    orgId: project.org_id,
    project,
    accountId,
    actor,
    signal,
  })
  const queue = await findQueue(cloud, name)
  const count = queue === null ? 0 : await countMessages(cloud, queue)
  if (count === 0) return
  const jobs = count === 1 ? '1 job' : `${count} jobs`
  throw conflict(`The queue ${name} still holds ${jobs}. Ship again when they are done.`)
}

/**
 * Opens the source and the target of a copy, and updates the admin workers of both to the current runtime. `from` is
 * null when nothing is to be copied: the app stores nothing, or its data is to be left behind. `to` is null when nothing
 * is to be copied and the new account has no admin worker yet.
 */
async function openApps(
  work: CopyWork,
  move: Move,
): Promise<{ from: AppInAccount | null; to: AppInAccount | null }> {
  const { platform, cloud, project, actor, signal } = work
  const rows = await listResources(platform.db, project)
  const standsIn = (accountId: string, of: { kind: string; name: string }) =>
    rows.some((row) => row.account_id === accountId && row.kind === of.kind && row.name === of.name)
  const appIn = (accountId: string): AppInAccount => ({
    platform,
    project: { ...project, accountId },
    signal,
  })
  // Records are stored in Durable Objects, so an app with Durable Objects may have records to copy. The copy needs the admin worker, so a
  // missing one is made again.
  const hasObjects = standsIn(move.from_account, sharedObject(project))
  const from = move.live_data === 'copy' && hasObjects ? appIn(move.from_account) : null
  const to = from !== null || standsIn(cloud.accountId, adminWorker(project)) ? appIn(cloud.accountId) : null
  if (from !== null) {
    // A capability that was switched off keeps its data, so the stored resources show which capabilities have data.
    const kept = CAPABILITY_KEYS.filter((key) => {
      const specs = capabilityOf(key).resources(project)
      const first = specs[0]
      const needsObjects = specs.some(({ kind }) => kind === 'object_namespace')
      return needsObjects && first !== undefined && standsIn(move.from_account, first)
    })
    const use = { orgId: project.org_id, project, accountId: move.from_account, actor, signal }
    const left = await platform.accounts.openCloud(use)
    await updateAdminWorker({ ...work, cloud: left, enabled: new Set(kept) })
    await updateAdminWorker({ ...work, enabled: new Set([...work.enabled, ...kept]) })
  }
  for (const app of [from, to]) if (app !== null) await waitForOperator(app)
  return { from, to }
}

/**
 * Updates the admin worker in one of the two accounts to the current runtime, with the bindings of the `enabled`
 * capabilities.
 */
async function updateAdminWorker({ cloud, enabled, ...work }: CopyWork): Promise<void> {
  const resources = new ResourceMaker({ ...work, open: async () => cloud })
  resources.deployFor({ enabled, pending: new Set() })
  await resources.make('data', adminWorker(work.project))
}

/** Waits for the admin worker, because a new admin worker may not be reachable everywhere yet. */
async function waitForOperator({ platform, project, signal }: AppInAccount): Promise<void> {
  const { kind, name } = adminWorker(project)
  const key = { orgId: project.org_id, projectId: project.id, accountId: project.accountId, kind, name }
  const row = await findResource(platform.db, key)
  const { url } = await adminWorkerAddress(platform, project)
  await waitUntilHealthy(url, row?.version_id ?? '', signal)
}

/** Returns a function that stores the progress of the copy in the row of the move, from which the next job continues. */
function progressOf(platform: Core, move: Move): CopyProgress {
  let { records, files } = move
  return {
    keep: async (cursor, copied = {}) => {
      records += copied.records ?? 0
      files += copied.files ?? 0
      const updated_at = platform.clock.now()
      await changeMove(platform.db, move, { cursor: JSON.stringify(cursor), records, files, updated_at })
    },
  }
}

/** Disables the address of the new app after a failed move, because the next attempt deletes what was copied. */
export async function disableNewAddress({ cloud, project, signal, platform }: ResourceWork): Promise<void> {
  signal.throwIfAborted()
  try {
    await disableAddress(cloud, appName(project, 'production'))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    platform.log.warn({ err: error, projectId: project.id }, 'the address of a failed move is still there')
  }
}

/** The time for a call to an app while a row is locked. Postgres ends a transaction that is idle for longer than 15 s. */
const LOCKED_CALL_MS_MAX = 10_000

/**
 * Makes a project's app writable again after a failed move. The row of the move stays locked meanwhile, so that a simultaneous deployment
 * cannot make the app read-only again. Returns whether the app is writable: false when it refuses or does not respond within `callMsMax`.
 */
export async function releaseHold(
  platform: PlatformPorts<'accounts'>,
  of: Pick<Move, 'org_id' | 'project_id'>,
  signal: AbortSignal,
  callMsMax = LOCKED_CALL_MS_MAX,
): Promise<boolean> {
  return await transact(platform.db, async (trx) => {
    const move = await lockHeldMove(trx, of)
    const project = await findProject(trx, { orgId: of.org_id, projectId: of.project_id })
    if (move === null || project === null) return true
    const limit = AbortSignal.timeout(callMsMax)
    const app = { ...project, accountId: move.from_account }
    try {
      await holdApp({ platform, project: app, signal: AbortSignal.any([signal, limit]) }, false)
    } catch (error) {
      signal.throwIfAborted()
      if (!limit.aborted && !(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
      platform.log.warn({ err: error, projectId: project.id }, 'the app is still held')
      return false
    }
    await changeMove(trx, of, { is_held: false })
    return true
  })
}
