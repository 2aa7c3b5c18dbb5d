/** Names of what a project has in its cloud account. Nothing else in the service writes or parses these endings. */

/**
 * Each tier has workers, data and buckets of its own, so nothing that a preview does reaches the live app.
 */
export type AppTier = 'production' | 'preview'

/** Kinds of resources; each has a file in `kinds/` and a line in its table. */
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

/** A project as far as its names need it. */
export interface Named {
  slug: string
  /** The name of the upload worker and its bucket: the first upload fixes it, and a rename does not change it. */
  uploads?: string | undefined
}

/** Endings that a slug must not have: `<slug>-live` would be a worker of another project. */
export const RESERVED_ENDINGS = ['-preview', '-admin', '-live', '-assets']

/** The worker of a tier; its name is its address. */
export const appName = ({ slug }: Named, tier: AppTier): string =>
  tier === 'production' ? slug : `${slug}-preview`

/** The worker that holds the project's object class. */
export const liveName = ({ slug }: Named): string => `${slug}-live`

/** The name of the rule that gives mail to an address to the live worker: only rules named like this are changed. */
export const ruleName = ({ slug }: Named, address: string): string =>
  `slipway:${slug}:${address.slice(0, address.lastIndexOf('@'))}`

/** Whether a rule has the name of one of ours, whatever slug the project had then. */
export const isRuleName = (name: string, address: string): boolean =>
  /^slipway:[^:]+:/.test(name) && name.endsWith(`:${address.slice(0, address.lastIndexOf('@'))}`)

/** The worker that serves the operator. */
export const adminName = ({ slug }: Named): string => `${slug}-admin`

/** The worker that takes uploads and serves assets, and its bucket. */
export const uploadsName = ({ slug, uploads }: Named): string => uploads ?? `${slug}-assets`

/** The bucket of one tier for a capability that stores files: a binding reaches the whole bucket. */
export const bucketName = ({ slug }: Named, capability: string, tier: AppTier): string =>
  tier === 'production' ? `${slug}-${capability}` : `${slug}-${capability}-pv`

// A worker's name is a DNS label of at most 63 characters.
const SLUG_CHARS_MAX = 63 - '-123456-assets'.length

/** The uploads' name for a project whose `uploadsName` is taken by a project that had the slug before. */
export const secondUploadsName = ({ id, slug }: { id: string; slug: string }): string =>
  `${slug.slice(0, SLUG_CHARS_MAX)}-${id.slice(-6)}-assets`

/** The workflow of a tier: a binding reaches all of its runs, so each tier has one. */
export const workflowName = (project: Named, tier: AppTier): string => `${appName(project, tier)}-flow`

/** The class that runs a workflow: in the app's worker, or in the live worker while the app does not run it. */
export const FLOW_CLASS = 'AppFlow'

/** The workers that may run a workflow: the app's, and the live worker while the app does not. */
export function scriptsOfWorkflow(name: string): [app: string, live: string] {
  const app = name.replace(/-flow$/, '')
  return [app, liveName({ slug: app.replace(/-preview$/, '') })]
}

/** Whether a worker or bucket of this name is the one for uploads. */
export const isUploadsName = (name: string): boolean => name.endsWith('-assets')

/** The SQL `like` pattern of `isUploadsName`. */
export const UPLOADS_LIKE = '%-assets'

/** The SQL `like` patterns of the workers that follow the slug until the first build. */
export const FOLLOWING_LIKE = ['%-live', '%-admin']

/** What a fixed worker does, read from its name; null for an app's own worker. */
export function workerRole(name: string): 'live' | 'admin' | 'uploads' | null {
  if (name.endsWith('-live')) return 'live'
  if (name.endsWith('-admin')) return 'admin'
  return isUploadsName(name) ? 'uploads' : null
}

/** The worker that can empty a bucket because it is bound to it, and the slug both were named after. */
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
