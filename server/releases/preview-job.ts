import { readCommit, readTree } from '../git/store.ts'
import { defineJob } from '../jobs/definition.ts'
import type { Core } from '../platform.ts'
import { findVersion } from '../history/versions.ts'
import { findProject } from '../projects/store.ts'
import { type PreviewData, previewKind } from '../deployments/job-kinds.ts'
import { publishPreview } from './preview.ts'

/** Publishes the newest commit on main as preview. A failure is stored with the project's deployments. */
export const previewJob = defineJob({
  ...previewKind,
  retryLimit: 3,
  expireSeconds: 300,
  concurrency: 2,
  run: async (platform, { data, signal }) => {
    let shown: string | null = null
    // A build may publish a newer version while this job publishes an older one, which then replaces it. So repeat until
    // the version published last is the newest one.
    while (!signal.aborted) {
      const version = await newestVersion(platform, data)
      if (version === null || version.sha === shown) return
      await publishPreview(platform, data, version)
      shown = version.sha
    }
  },
})

async function newestVersion({ db }: Core, place: PreviewData) {
  const project = await findProject(db, place)
  if (project === null || project.head_sha === null || project.deleting_at !== null) return null
  const version = await findVersion(db, project.id, project.head_sha)
  if (version === null) return null
  const { tree } = await readCommit(db, project.id, version.sha)
  const files = await readTree(db, project.id, tree)
  return { sha: version.sha, tree: files, generatedBy: version.generated_by ?? version.author }
}
