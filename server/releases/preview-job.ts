import * as z from 'zod'
import { publishPreview } from './preview.ts'
import { readCommit, readTree } from '../git/store.ts'
import { defineJob } from '../jobs/definition.ts'
import type { Platform } from '../platform.ts'

const Place = z.object({ orgId: z.string(), projectId: z.string() })
type Place = z.output<typeof Place>

/** Publishes the head of main as preview. A failure is stored with the project's deployments. */
export const previewJob = defineJob({
  name: 'preview',
  data: Place,
  policy: 'key_strict_fifo',
  key: (data) => data.projectId,
  retryLimit: 3,
  expireSeconds: 300,
  concurrency: 2,
  run: async (platform, { data, signal }) => {
    let shown: string | null = null
    // A build may have published meanwhile, and we after it: repeat until the newest version was published last.
    while (!signal.aborted) {
      const version = await newestVersion(platform, data)
      if (version === null || version.sha === shown) return
      await publishPreview(platform, { id: data.projectId, orgId: data.orgId }, version)
      shown = version.sha
    }
  },
})

async function newestVersion({ db }: Platform, { orgId, projectId }: Place) {
  const row = await db
    .selectFrom('projects as p')
    .innerJoin('versions as v', (join) =>
      join.onRef('v.project_id', '=', 'p.id').onRef('v.sha', '=', 'p.head_sha'),
    )
    .select(['v.sha', 'v.author', 'v.generated_by'])
    .where('p.org_id', '=', orgId)
    .where('p.id', '=', projectId)
    .where('p.deleting_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return null
  const { tree } = await readCommit(db, projectId, row.sha)
  const files = await readTree(db, projectId, tree)
  return { sha: row.sha, tree: files, generatedBy: row.generated_by ?? row.author }
}
