import * as z from 'zod'
import type { JobKind } from '../platform.ts'

const Ids = z.object({ orgId: z.string(), projectId: z.string() })
export type PreviewJobData = z.output<typeof Ids>

const DeployJobData = z.union([
  Ids.extend({ deploymentId: z.string(), actor: z.string().optional() }),
  Ids.extend({ taskId: z.string() }),
])

/** Publishes the newest commit on main as the preview (`preview-job.ts`). */
export const previewKind: JobKind<PreviewJobData> = {
  name: 'preview',
  data: Ids,
  policy: 'key_strict_fifo',
  key: (data) => data.projectId,
}

/** Deploys a release to production, takes a tier offline, or runs a stored task on the project's resources (`deploy-job.ts`). */
export const deployKind: JobKind<z.output<typeof DeployJobData>> = {
  name: 'deploy',
  data: DeployJobData,
  policy: 'key_strict_fifo',
  key: (data) => data.projectId,
}
