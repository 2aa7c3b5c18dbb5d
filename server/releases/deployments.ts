import { actorOf } from '../connections/cloud.ts'
import type { Db } from '../db/database.ts'
import type { Context } from '../endpoint.ts'
import { ApiError } from '../http/errors.ts'
import { requireActive, requireNotDeleting } from '../projects/lifecycle.ts'
import { loadProject } from '../projects/projects.ts'
import { inspect } from '../resources/inspect.ts'
import type { Finding } from '../resources/kinds/kind.ts'
import { listNewest } from '../resources/list.ts'
import { appName } from '../resource-names.ts'
import type { ProjectRef } from '../resource-ports.ts'
import { resourcesOf } from '../capability-catalog/catalog.ts'
import { enabledCapabilities } from '../capability-state/enabled.ts'
import { lastUploadsName } from '../resources/uploads-name.ts'
import { readRelease } from './bundle.ts'
import { builtSha, readDeployState } from './deploy-state.ts'
import { type PreviewPorts, publishPreview } from './preview.ts'
import { DEPLOYMENT_WAIT_MS } from '../resources/wait.ts'
import { listReleases, previousDeployment } from '../deployments/store.ts'
import { findVersion } from '../history/versions.ts'

export async function listDeployments(ctx: Context<'accounts'>, projectId: string) {
  const project = await loadProject(ctx, projectId)
  const [rows, releases] = await Promise.all([listNewest(ctx.db, project), listReleases(ctx.db, project)])
  const live = releases.find(({ status }) => status === 'live')
  const previous = live === undefined ? null : await previousDeployment(ctx.db, live)
  const resources = await inspect(ctx, project, rows, actorOf(ctx.caller))
  const needed = await neededBy(ctx.db, project)
  const urlOf = new Map([
    [appName(project, 'production'), project.url],
    [appName(project, 'preview'), project.preview_url],
  ])
  return {
    managed: resources.map((row) => ({
      id: row.id,
      kind: row.kind,
      name: row.name,
      ...capabilitiesOfRow(row, needed),
      status: statusOf(row),
      version: row.version_id,
      url: row.kind === 'worker' ? (urlOf.get(row.name) ?? null) : null,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
    })),
    releases: releases.map((row) => ({
      id: row.id,
      sha: row.sha,
      version: row.version_id,
      actor: row.actor,
      at: (row.live_at ?? row.created_at).toISOString(),
      current: row.status === 'live',
      previous: row.id === previous?.id,
    })),
  }
}

/** Returns, for each needed resource, the enabled capabilities that need it. The keys are `<kind> <name>`. */
async function neededBy(db: Db, project: Omit<ProjectRef, 'name'>) {
  const [enabled, uploads] = await Promise.all([
    enabledCapabilities(db, project.id),
    lastUploadsName(db, project),
  ])
  const pairs = resourcesOf(enabled, { ...project, uploads: uploads ?? undefined }).flatMap(
    ({ key, resources }) => resources.map(({ kind, name }) => ({ place: `${kind} ${name}`, key })),
  )
  return Map.groupBy(pairs, ({ place }) => place)
}

function capabilitiesOfRow(
  row: { kind: string; name: string; capability: string | null },
  needed: Awaited<ReturnType<typeof neededBy>>,
) {
  // A Durable Object namespace and the worker that contains it have the same name, so capabilities that need the
  // namespace also need the worker.
  const places = [`${row.kind} ${row.name}`, `object_namespace ${row.name}`]
  const keys = places.flatMap((place) => needed.get(place)?.map(({ key }) => key) ?? [])
  const own = row.capability === null ? [] : [row.capability]
  const capabilities = [...new Set([...own, ...keys])]
  return { capability: capabilities[0] ?? null, capabilities }
}

/**
 * Returns what the last inspection of the resource in the account found. A resource is `missing` until its creation has
 * ended, and `error` when its last write failed.
 */
function statusOf(row: { state: 'creating' | 'ok' | 'error'; found: Finding | null }): Finding | 'error' {
  if (row.state === 'creating') return 'missing'
  return row.state === 'error' ? 'error' : (row.found ?? 'ok')
}

/** Publishes the last green build on the preview host and returns its address. */
export async function previewProject(ctx: Context<PreviewPorts>, projectId: string) {
  const { artifact, published } = await publishHead(ctx, projectId)
  return { artifact, previewUrl: published }
}

/** Publishes the last build on the preview host again, without a new build. */
export async function retryDeployment(ctx: Context<PreviewPorts>, projectId: string) {
  requireActive(await loadProject(ctx, projectId), 'shipping')
  const { published } = await publishHead(ctx, projectId)
  const state = await readDeployState(ctx, projectId)
  return { ...state, previewUrl: published }
}

async function publishHead(ctx: Context<PreviewPorts>, projectId: string) {
  const project = await loadProject(ctx, projectId)
  requireNotDeleting(project)
  const sha = await builtSha(ctx.db, projectId)
  if (sha === null) throw new ApiError('invalid_request', 'Nothing is built yet: build a ticket first.')
  await ctx.accounts.requireCloud(project.org_id, { project })
  const [version, enabled] = await Promise.all([
    findVersion(ctx.db, projectId, sha),
    enabledCapabilities(ctx.db, projectId),
  ])
  const { tree } = await readRelease(ctx, { projectId, sha, enabled })
  const key = { orgId: project.org_id, projectId }
  const by = {
    actor: actorOf(ctx.caller),
    isAutomatic: false,
    timeoutMs: DEPLOYMENT_WAIT_MS,
    disconnected: ctx.signal,
  }
  const published = await publishPreview(ctx, key, by)
  if ('error' in published) throw new ApiError('upstream_error', published.error)
  const artifact = {
    sha,
    generatedBy: version?.generated_by ?? null,
    files: [...tree.keys()].sort(),
    builtAt: version?.created_at.toISOString() ?? null,
  }
  return { artifact, published: published.url }
}
