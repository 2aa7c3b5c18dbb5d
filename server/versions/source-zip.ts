import { strToU8, zipSync } from 'fflate'
import { readCommit, readTree } from '../git/store.ts'
import type { BytesAnswer } from '../http/endpoint.ts'
import { notFound } from '../http/errors.ts'
import type { Context } from '../platform.ts'
import { loadProject } from '../projects/projects.ts'

/**
 * Returns the newest version as a zip in a folder named after the project; the same version gives the same
 * bytes.
 */
export async function zipSource(ctx: Context, projectId: string): Promise<BytesAnswer> {
  const { slug, head_sha: sha } = await loadProject(ctx, projectId)
  if (sha === null) throw notFound('version')
  const { tree, at } = await readCommit(ctx.db, projectId, sha)
  const files = await readTree(ctx.db, projectId, tree)
  const entries = [...files].map(([path, text]) => [`${slug}/${path}`, strToU8(text)] as const)
  return {
    body: zipSync(Object.fromEntries(entries), { mtime: at }),
    contentType: 'application/zip',
    headers: { 'content-disposition': `attachment; filename="${slug}.zip"` },
  }
}
