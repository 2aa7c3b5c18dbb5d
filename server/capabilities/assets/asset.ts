import * as z from 'zod'
import { enabledCapabilities } from '../../capability-state/enabled.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { AssetsTable } from '../../db/tables/assets.ts'
import type { ProjectIds } from '../../db/tables/projects.ts'
import { pathOf } from '../../attachments/upload-worker.ts'
import { AssetAccess } from './declaration.ts'

/** The maximum size of an asset, below what a worker accepts in one request (docs/limits.md#assets-and-attachments). */
export const ASSET_BYTES_MAX = 95 * 1024 * 1024
/** The maximum number of assets of one project. Bounded because `GET /assets` returns the whole list. */
export const ASSETS_MAX = 10_000

/**
 * A content type with its parameters, like `text/html; charset=utf-8`. The upload must have exactly the announced
 * string as its content type, and the asset is served with the same string.
 */
export const ContentType = z
  .string()
  .max(100)
  .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.-]+)?$/, 'is not a content type')

export const Asset = z
  .object({
    path: z.string(),
    name: z.string(),
    size: z.int().describe('Bytes.'),
    contentType: z.string(),
    access: AssetAccess,
    url: z
      .string()
      .nullable()
      .describe('Where the app serves it; null while the app is not live or the capability `assets` is off.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Asset' })
export type Asset = z.output<typeof Asset>

export interface AssetProject {
  id: string
  org_id: string
  name: string
  slug: string
  url: string | null
}

export async function findAsset(
  db: Db | Trx,
  project: Pick<AssetProject, 'id' | 'org_id'>,
  path: string,
): Promise<AssetsTable | null> {
  const row = await db
    .selectFrom('assets')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('path', '=', path)
    .executeTakeFirst()
  return row ?? null
}

export async function listAssets(db: Db, project: AssetProject): Promise<Asset[]> {
  const rows = await db
    .selectFrom('assets')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .orderBy('created_at', 'desc')
    .orderBy('path')
    .execute()
  const base = await assetBaseUrl(db, project)
  return rows.map((row) => toAsset(row, base))
}

export async function presentAsset(db: Db, project: AssetProject, row: AssetsTable): Promise<Asset> {
  return toAsset(row, await assetBaseUrl(db, project))
}

/** Returns the address under which the live app serves its assets; null while it does not serve them. */
async function assetBaseUrl(db: Db, project: AssetProject): Promise<string | null> {
  if (project.url === null) return null
  return (await enabledCapabilities(db, project.id)).has('assets') ? `${project.url}/_app/assets/` : null
}

const toAsset = (row: AssetsTable, base: string | null): Asset => ({
  path: row.path,
  name: row.name,
  size: row.size_bytes,
  contentType: row.content_type,
  access: JSON.parse(row.access),
  url: base === null ? null : base + pathOf(row.path),
  createdAt: row.created_at.toISOString(),
})

export async function listAssetsIn(db: Db, project: ProjectIds, accountId: string) {
  return await db
    .selectFrom('assets')
    .select(['path', 'content_type', 'access'])
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('account_id', '=', accountId)
    .execute()
}
