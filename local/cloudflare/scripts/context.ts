import type { ResourceData } from '../products/storage/data.ts'
import type { WorkflowInstances } from '../products/workflows/instances.ts'
import type { Cloud } from '../rest/context.ts'
import type { Apps } from '../runtime/apps.ts'
import type { Blobs } from '../store/blobs.ts'

/** What the routes of workers use. */
export interface ScriptsCloud extends Cloud {
  blobs: Blobs
  apps: Pick<Apps, 'validate' | 'applyGroupChange' | 'deleteObjectData' | 'hosts'>
  data: Pick<ResourceData, 'isStored' | 'moveWhileStopped'>
  instances: Pick<WorkflowInstances, 'deleteAll'>
  /** Signs the tokens of asset uploads. */
  signingKey: string
}
