import { strToU8, zipSync } from 'fflate'
import type { Db } from '../db/database.ts'
import type { CallerContext } from '../endpoint.ts'
import { readCommit, readPaths, readTree } from '../git/store.ts'
import type { BytesResponse } from '../http/endpoint.ts'
import { notFound } from '../http/errors.ts'
import { loadProject } from '../projects/projects.ts'
import { findVersion } from '../history/versions.ts'

/** Returns the files of the newest version; null before the first build. */
export async function readSource(ctx: CallerContext<'db'>, projectId: string) {
  const { head_sha: sha } = await loadProject(ctx, projectId)
  if (sha === null) return null
  return await readStoredCode(ctx, projectId, async () => {
    const [files, version] = await Promise.all([
      readFiles(ctx.db, projectId, sha),
      findVersion(ctx.db, projectId, sha),
    ])
    return { files, generatedBy: version?.generated_by ?? null }
  })
}

/**
 * Returns the result of `read`, which reads git objects of a project. Throws 404 when `read` fails because the project was deleted
 * meanwhile, or has lost its objects to a deletion that is not finished: the objects are deleted before the project's row.
 */
export async function readStoredCode<T>(
  ctx: CallerContext<'db'>,
  projectId: string,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const project = await loadProject(ctx, projectId)
    if (project.deleting_at !== null) throw notFound('version')
    throw error
  }
}

/** Returns the text of each file of a commit. */
export async function readFiles(db: Db, projectId: string, sha: string): Promise<Record<string, string>> {
  const { tree } = await readCommit(db, projectId, sha)
  return Object.fromEntries(await readTree(db, projectId, tree))
}

/** Returns the paths of the newest version without reading any file; empty before the first build. */
export async function listFiles(ctx: CallerContext<'db'>, projectId: string): Promise<{ paths: string[] }> {
  const { head_sha: sha } = await loadProject(ctx, projectId)
  if (sha === null) return { paths: [] }
  return await readStoredCode(ctx, projectId, async () => {
    const { tree } = await readCommit(ctx.db, projectId, sha)
    return { paths: await readPaths(ctx.db, projectId, tree) }
  })
}

/** Returns the newest version as a zip with one folder named after the project. The same version gives the same bytes. */
export async function zipSource(ctx: CallerContext<'db'>, projectId: string): Promise<BytesResponse> {
  const { slug, head_sha: sha } = await loadProject(ctx, projectId)
  if (sha === null) throw notFound('version')
  const { files, at } = await readStoredCode(ctx, projectId, async () => {
    const commit = await readCommit(ctx.db, projectId, sha)
    return { files: await readTree(ctx.db, projectId, commit.tree), at: commit.at }
  })
  const entries = [...files].map(([path, text]) => [`${slug}/${path}`, strToU8(text)] as const)
  return {
    body: zipSync(Object.fromEntries(entries), { mtime: at }),
    contentType: 'application/zip',
    headers: { 'content-disposition': `attachment; filename="${slug}.zip"` },
  }
}
