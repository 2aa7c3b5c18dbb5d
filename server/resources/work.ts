import type { Cloud } from '../cloudflare/client.ts'
import type { Needs } from '../platform.ts'

export interface ProjectRef {
  id: string
  org_id: string
  name: string
  slug: string
}

/** The ports of every change in a cloud account: its credentials, and what bundles an app that is published again. */
export type ResourcePorts = 'config' | 'keyring' | 'checkers' | 'packages'

export interface Work {
  platform: Needs<ResourcePorts>
  cloud: Cloud
  project: ProjectRef
  /** Recorded in the activity log. */
  actor: string
  signal: AbortSignal
}
