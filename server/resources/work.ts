import type { Cloud } from '../cloudflare/client.ts'
import type { Needs } from '../platform.ts'

/** A project as far as work in its cloud account needs it. */
export interface ProjectRef {
  id: string
  org_id: string
  name: string
  slug: string
}

/** The ports of every change in a cloud account: its credentials, and what bundles an app that is published again. */
export type ResourcePorts = 'config' | 'keyring' | 'checkers' | 'packages'

/** What every change in a project's cloud account needs. */
export interface Work {
  platform: Needs<ResourcePorts>
  /** The account that is changed. */
  cloud: Cloud
  project: ProjectRef
  /** Named in the activity log. */
  actor: string
  signal: AbortSignal
}
