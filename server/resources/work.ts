import type { Cloud } from '../cloudflare/client.ts'
import type { Needs } from '../platform.ts'

export interface ProjectRef {
  id: string
  org_id: string
  name: string
  slug: string
}

/**
 * The ports that every change in a cloud account needs: the account's credentials, the bundler for an app that is published again, and the
 * calls into higher layers (`ports.ts`).
 */
export type ResourcePorts =
  | 'config'
  | 'keyring'
  | 'checkers'
  | 'packages'
  | 'makers'
  | 'capabilities'
  | 'releases'

export interface Work {
  platform: Needs<ResourcePorts>
  cloud: Cloud
  project: ProjectRef
  /** The name that the activity log shows. */
  actor: string
  signal: AbortSignal
}
