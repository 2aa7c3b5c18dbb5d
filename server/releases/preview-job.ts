import { defineJob } from '../jobs/definition.ts'
import { findVersion } from '../history/versions.ts'
import { ApiError } from '../http/errors.ts'
import type { PlatformPorts } from '../platform.ts'
import { findProject } from '../projects/store.ts'
import { previewKind } from '../deployments/job-kinds.ts'
import { requestPreview } from './preview.ts'

/** Deploys the newest commit on main to the preview. Does nothing for a project that is archived or cannot have a preview. */
export const previewJob = defineJob({
  ...previewKind,
  retryLimit: 3,
  expireSeconds: 300,
  concurrency: 2,
  run: async (platform: PlatformPorts<'accounts' | 'jobs'>, { data }) => {
    const project = await findProject(platform.db, data)
    const version = await findVersion(platform.db, data.projectId, project?.head_sha ?? '')
    if (version === null) return
    try {
      await requestPreview(platform, data, {
        actor: version.generated_by ?? version.author,
        isAutomatic: true,
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  },
})
