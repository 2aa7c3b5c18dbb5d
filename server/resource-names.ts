/** Names of a project's resources in its cloud account. No other file of the service makes or parses these suffixes. */

/** Each tier has its own workers, data and buckets, so that a preview cannot affect the live app. */
export type AppTier = 'production' | 'preview'

/** Each kind has a file in `kinds/` and an entry in `kinds/table.ts`. */
export type ResourceKind =
  | 'custom_domain'
  | 'routing_rule'
  | 'webhook_endpoint'
  | 'worker'
  | 'object_namespace'
  | 'bucket'
  | 'queue'
  | 'workflow'
  | 'widget'
  | 'sfu_app'
  | 'turn_key'
  | 'ai_gateway'
  | 'sending_domain'

export interface NamedProject {
  slug: string
  /** The name of the upload worker and its bucket. The first upload sets this name, and renaming the project does not change it. */
  uploads?: string | undefined
}

/** Suffixes that a slug must not have. The slug `<slug>-live` of one project would equal the name of another project's worker. */
export const RESERVED_ENDINGS = ['-preview', '-admin', '-live', '-assets']

/** The name of a tier's worker, which is also the first label of its host name. */
export const appName = ({ slug }: NamedProject, tier: AppTier): string =>
  tier === 'production' ? slug : `${slug}-preview`

export const liveName = ({ slug }: NamedProject): string => `${slug}-live`

/** The name of an email routing rule that the service makes. Rules with other names are never changed. */
export const ruleName = ({ slug }: NamedProject, address: string): string =>
  `slipway:${slug}:${address.slice(0, address.lastIndexOf('@'))}`

/**
 * Returns whether this is the name that the service gives to the email routing rule of `address`. Accepts any slug,
 * because the project may have been renamed since.
 */
export const isRuleName = (name: string, address: string): boolean =>
  /^slipway:[^:]+:/.test(name) && name.endsWith(`:${address.slice(0, address.lastIndexOf('@'))}`)

export const adminName = ({ slug }: NamedProject): string => `${slug}-admin`

/** The name that the upload worker and its bucket share. */
export const uploadsName = ({ slug, uploads }: NamedProject): string => uploads ?? `${slug}-assets`

/** Each tier of each capability has its own bucket, because a binding gives access to its whole bucket. */
export const bucketName = ({ slug }: NamedProject, capability: string, tier: AppTier): string =>
  tier === 'production' ? `${slug}-${capability}` : `${slug}-${capability}-pv`

// A worker's name is a DNS label of at most 63 characters.
const SLUG_CHARS_MAX = 63 - '-123456-assets'.length

/** The upload name for a project whose `uploadsName` belongs to a project that had the same slug before. */
export const secondUploadsName = ({ id, slug }: { id: string; slug: string }): string =>
  `${slug.slice(0, SLUG_CHARS_MAX)}-${id.slice(-6)}-assets`

/** Each tier has its own workflow, because a binding gives access to all runs of a workflow. */
export const workflowName = (project: NamedProject, tier: AppTier): string => `${appName(project, tier)}-flow`

/** The class that runs a workflow, in the app's worker or, until an app is deployed, in the live worker. */
export const FLOW_CLASS = 'AppFlow'

/** Returns the workers that may run a workflow: the app's worker, and the live worker until an app is deployed. */
export function scriptsOfWorkflow(name: string): [app: string, live: string] {
  const app = name.replace(/-flow$/, '')
  return [app, liveName({ slug: app.replace(/-preview$/, '') })]
}

export const isUploadsName = (name: string): boolean => name.endsWith('-assets')

export const UPLOADS_LIKE = '%-assets'

/** SQL `like` patterns for the workers whose names change with the slug until the first build. */
export const FOLLOWING_LIKE = ['%-live', '%-admin']

export function workerRole(name: string): 'live' | 'admin' | 'uploads' | null {
  if (name.endsWith('-live')) return 'live'
  if (name.endsWith('-admin')) return 'admin'
  return isUploadsName(name) ? 'uploads' : null
}

/** Returns the worker that is bound to a bucket and can therefore empty it, and the slug that both were named after. */
export function workerOfBucket(
  bucket: string,
):
  | { role: 'uploads'; slug: string; name: string }
  | { role: 'admin'; slug: string; name: string; capability: string; tier: AppTier }
  | null {
  const [, slug, capability, preview] = /^(.+?)-([a-z]+)(-pv)?$/.exec(bucket) ?? []
  if (slug === undefined || capability === undefined) return null
  if (isUploadsName(bucket)) return { role: 'uploads', slug, name: bucket }
  const tier = preview === undefined ? 'production' : 'preview'
  return { role: 'admin', slug, name: adminName({ slug }), capability, tier }
}
