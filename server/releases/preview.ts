import { transact } from '../db/database.ts'
import { lockProject } from '../db/locks.ts'
import { deployKind } from '../deployments/job-kinds.ts'
import { claimPreview, latestDeployment, readDeployment } from '../deployments/store.ts'
import { ApiError, conflict, notFound } from '../http/errors.ts'
import type { Core, PlatformPorts } from '../platform.ts'
import { requireNotDeleting } from '../projects/lifecycle.ts'
import { findProject, type ProjectKey } from '../projects/store.ts'
import { waitForRow } from '../resources/wait.ts'
import { builtSha } from './deploy-state.ts'

export type PreviewPorts = 'accounts' | 'jobs' | 'listener'

interface PreviewOrder {
  actor: string
  /** False when a person asked for the preview. Only then may the project be archived. */
  isAutomatic: boolean
}

/**
 * Publishes the newest version on the project's preview host and returns its address. When Cloudflare returns an error
 * or the app does not become healthy, returns the reason instead of throwing, because a build succeeds even if its
 * preview fails. After `timeoutMs`, or when the caller disconnects, returns an error that says that the job continues.
 * When a newer version is requested in the meantime, waits for the newer version.
 */
export async function publishPreview(
  platform: PlatformPorts<PreviewPorts>,
  key: ProjectKey,
  caller: PreviewOrder & { timeoutMs: number; disconnected: AbortSignal },
): Promise<{ url: string } | { error: string }> {
  const { db } = platform
  try {
    const id = await requestPreview(platform, key, caller)
    const project = { id: key.projectId, org_id: key.orgId }
    const readNewest = async () =>
      (await readDeployment(db, key.orgId, id)) ??
      (await latestDeployment(db, project, 'preview', ['deploying']))
    const row = await waitForRow(platform, id, readNewest, {
      until: ({ status }) => status !== 'deploying',
      timeoutMs: caller.timeoutMs,
      disconnected: caller.disconnected,
    })
    if (row?.status === 'deploying') return { error: 'The preview is still being published.' }
    // The row is deleted when a newer version has replaced this one, or when the preview already has the same content.
    const { url, error } = row ?? (await readOutcome(platform, key))
    return url !== null && error === null ? { url } : { error: error ?? 'The preview is offline.' }
  } catch (error) {
    if (error instanceof ApiError) return { error: error.message }
    throw error
  }
}

/**
 * Stores a deployment of the newest version to the preview, with its job, and returns its id. All deployments of a project
 * run one after the other. An unfinished deployment of an older version is deleted, so that it does not run again after a
 * crash and is never stored as live. So the version that was requested last is served at the end. Throws `conflict` for an
 * automatic preview of an archived project.
 */
export async function requestPreview(
  platform: PlatformPorts<'accounts' | 'jobs'>,
  key: ProjectKey,
  { actor, isAutomatic }: PreviewOrder,
): Promise<string> {
  const { orgId, projectId } = key
  return await transact(platform.db, async (trx) => {
    // The newest version is read under this lock, so no later request can store an older version.
    await lockProject(trx, projectId)
    const project = await findProject(trx, key)
    if (project === null) throw notFound('project')
    requireNotDeleting(project)
    // Archiving takes the same lock. So a build or revert that ends after the project was archived does not bring the preview back online.
    if (isAutomatic && project.lifecycle === 'archived')
      throw conflict('The project is archived, so its preview stays offline.')
    await platform.accounts.requireCloud(orgId, { project, db: trx })
    const sha = await builtSha(trx, projectId)
    if (sha === null) throw new ApiError('invalid_request', 'Nothing is built yet: build a ticket first.')
    const id = await claimPreview(trx, project, { sha, actor, at: platform.clock.now() })
    await platform.jobs.send(trx, deployKind, { orgId, projectId, deploymentId: id })
    return id
  })
}

async function readOutcome({ db }: Core, key: ProjectKey) {
  const project = await findProject(db, key)
  return { url: project?.preview_url ?? null, error: project?.provision_error ?? null }
}
