import type { Cloud } from '../../cloudflare/client.ts'
import type { Db } from '../../db/database.ts'
import type { ProjectIds, ProjectIdsAndName } from '../../db/tables/projects.ts'
import type { PlatformPorts } from '../../platform.ts'
import type { ResourceKind } from '../../resource-names.ts'
import type { ProjectRef, RegisteredResource } from '../../resource-ports.ts'
import type { MakingPorts, ResourceWork } from '../work.ts'

export type { RegisteredResource } from '../../resource-ports.ts'

/** How a row compares with the account. `drifted`: the resource exists, but was changed since the service last wrote it. */
export type Finding = 'ok' | 'missing' | 'drifted'

/**
 * The project of a row. Needed by kinds of resources that are not in the cloud account but at another provider, such as
 * Stripe.
 */
export interface ProjectContext<Project = ProjectRef> {
  platform: PlatformPorts<'accounts'>
  project: Project
}

/** How one kind of resource is inspected, made and removed. Each function is idempotent. */
export interface ResourceLifecycle {
  /** True when recreating a resource of this kind loses its data, which the activity log then mentions. */
  holdsData: boolean
  /** The kind of the resource that contains resources of this kind. Both resources have the same name, and one call removes both. */
  partOf?: ResourceKind
  find: (cloud: Cloud, row: RegisteredResource, of: ProjectContext) => Promise<Finding>
  /** Makes or repairs the resource that the row describes, and stores the result in the row. */
  make: (work: ResourceWork<MakingPorts>, row: RegisteredResource) => Promise<void>
  /**
   * Removes as much of the content as one call has time for. `taken` is the removed amount in words; `left` is a lower bound of the rest.
   * Only for kinds that must be empty before they are removed. `rows` are all rows of the project.
   */
  empty?: (
    work: ResourceWork<'buckets'>,
    row: RegisteredResource,
    rows: RegisteredResource[],
  ) => Promise<{ taken: string; left: number }>
  /** Removes the resource. Succeeds when it is already gone. The caller deletes the row. */
  remove: (cloud: Cloud, row: RegisteredResource, of: ProjectContext<ProjectIdsAndName>) => Promise<void>
  /**
   * Gives the row to another project that also uses the resource. Returns whether there is such a project; a teardown then keeps the
   * resource.
   */
  handOver?: (db: Db, project: ProjectIds, row: RegisteredResource) => Promise<boolean>
  /** Returns how much of the app's data the resource holds, in words; null when that cannot be counted. */
  measure?: (cloud: Cloud, row: RegisteredResource) => Promise<string | null>
}
