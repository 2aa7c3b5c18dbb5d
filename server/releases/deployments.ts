import type { Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { ResourcesTable } from '../db/tables/projects.ts'
import { readRelease } from './app-bundle.ts'
import { lastUploadsName } from '../attachments/upload-place.ts'
import { capabilitiesOf } from '../capabilities/catalog.ts'
import { enabledCapabilities } from '../capabilities/switch/enabled.ts'
import { actorOf, requireCloud } from '../connections/cloud.ts'
import { ApiError } from '../http/errors.ts'
import type { Context } from '../platform.ts'
import { requireActive, requireStanding } from '../projects/lifecycle.ts'
import { loadProject } from '../projects/projects.ts'
import { appName } from './app-worker.ts'
import { builtSha, readDeployState } from './deploy-state.ts'
import type { Finding, Registered } from '../resources/kinds/kind.ts'
import { refreshFindings } from '../resources/inspect.ts'
import { publishPreview } from './preview.ts'
import { previousDeployment } from './store.ts'

type Looked = (Registered & Selectable<ResourcesTable>) & { found: Finding | null }

/** What the registry holds for a project and how the account compares with it (at most a minute old), and what it has served so far. */
export async function listDeployments(ctx: Context, projectId: string) {
  const project = await loadProject(ctx, projectId)
  const [rows, releases] = await Promise.all([
    ctx.db
      .selectFrom('resources')
      .selectAll()
      .where('org_id', '=', project.org_id)
      .where('project_id', '=', project.id)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute(),
    ctx.db
      .selectFrom('deployments')
      .selectAll()
      .where('org_id', '=', project.org_id)
      .where('project_id', '=', project.id)
      .where('tier', '=', 'production')
      .where('status', 'in', ['live', 'superseded', 'rolled_back'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute(),
  ])
  const live = releases.find(({ status }) => status === 'live')
  const previous = live === undefined ? null : await previousDeployment(ctx.db, live)
  const resources = await refreshFindings(ctx, project, rows as Looked[], actorOf(ctx.caller))
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

/** The enabled capabilities behind each resource, by `<kind> <name>`. */
async function neededBy(db: Db, project: { id: string; org_id: string; slug: string }) {
  const [enabled, uploads] = await Promise.all([
    enabledCapabilities(db, project.id),
    lastUploadsName(db, project),
  ])
  const named = { ...project, uploads: uploads ?? undefined }
  const pairs = capabilitiesOf(enabled).flatMap(({ key, resources }) =>
    resources(named).map(({ kind, name }) => ({ place: `${kind} ${name}`, key })),
  )
  return Map.groupBy<string, (typeof pairs)[number]>(pairs, ({ place }) => place)
}

function capabilitiesOfRow(row: Looked, needed: Awaited<ReturnType<typeof neededBy>>) {
  // A namespace lives in the worker of its name, so both serve the same.
  const places = [`${row.kind} ${row.name}`, `object_namespace ${row.name}`]
  const keys = places.flatMap((place) => needed.get(place)?.map(({ key }) => key) ?? [])
  const own = row.capability === null ? [] : [row.capability]
  const capabilities = [...new Set([...own, ...keys])]
  return { capability: capabilities[0] ?? null, capabilities }
}

/** What the last look found; before that, what the last write to it came to. */
function statusOf(row: { state: 'creating' | 'ok' | 'error'; found: Finding | null }): Finding | 'error' {
  if (row.state === 'creating') return 'missing'
  return row.state === 'error' ? 'error' : (row.found ?? 'ok')
}

/** The last green build and the address where it can be looked at. */
export async function previewProject(ctx: Context, projectId: string) {
  const { artifact, published } = await publishHead(ctx, projectId)
  return { artifact, previewUrl: published }
}

/** Puts the last build on the preview host again; nothing is built. */
export async function retryDeployment(ctx: Context, projectId: string) {
  requireActive(await loadProject(ctx, projectId), 'shipping')
  const { published } = await publishHead(ctx, projectId)
  const state = await readDeployState(ctx, projectId)
  return { ...state, previewUrl: published }
}

async function publishHead(ctx: Context, projectId: string) {
  const project = await loadProject(ctx, projectId)
  requireStanding(project)
  const sha = await builtSha(ctx.db, projectId)
  if (sha === null) throw new ApiError('invalid_request', 'Nothing is built yet: build a ticket first.')
  await requireCloud(ctx, project.org_id, { project })
  const [version, enabled] = await Promise.all([
    ctx.db
      .selectFrom('versions')
      .select(['generated_by', 'created_at'])
      .where('project_id', '=', projectId)
      .where('sha', '=', sha)
      .executeTakeFirst(),
    enabledCapabilities(ctx.db, projectId),
  ])
  const { tree } = await readRelease(ctx, { projectId, sha, enabled })
  const published = await publishPreview(
    ctx,
    { id: projectId, orgId: project.org_id },
    { sha, tree, generatedBy: actorOf(ctx.caller) },
  )
  if ('error' in published) throw new ApiError('upstream_error', published.error)
  const artifact = {
    sha,
    generatedBy: version?.generated_by ?? null,
    files: [...tree.keys()].sort(),
    builtAt: version?.created_at.toISOString() ?? null,
  }
  return { artifact, published: published.url }
}
