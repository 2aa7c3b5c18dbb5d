import type { Selectable } from 'kysely'
import type { Cloud } from '../../cloudflare/client.ts'
import type { Db } from '../../db/database.ts'
import type { Needs } from '../../platform.ts'
import type { ResourcesTable } from '../../db/tables/projects.ts'
import type { ResourceKind } from '../names.ts'
import type { ProjectRef, ResourcePorts, Work } from '../work.ts'

export type Registered = Pick<
  Selectable<ResourcesTable>,
  'id' | 'name' | 'account_id' | 'tier' | 'capability' | 'provider_id' | 'version_id' | 'state'
> & {
  kind: ResourceKind
  /** The account was asked a moment ago and has none of this name, so the maker need not ask again. */
  wasMissing?: boolean
}

/** How a row compares with the account. `drifted`: it exists, but was changed since our last write. */
export type Finding = 'ok' | 'missing' | 'drifted'

/** The project, for kinds that are not in the cloud account. */
export interface OfProject<Project = ProjectRef> {
  platform: Needs<ResourcePorts>
  project: Project
}

/** How one kind of resource is inspected, made and removed. Each of these must be safe to run twice. */
export interface Kind {
  /** When such a resource is made again, its data is lost and the activity log says so. */
  holdsData: boolean
  /** One call removes this resource and the one of that kind with the same name. */
  partOf?: ResourceKind
  find: (cloud: Cloud, row: Registered, of: OfProject) => Promise<Finding>
  /** Makes or repairs what the row describes, and stores the outcome in the row. */
  make: (work: Work, row: Registered) => Promise<void>
  /**
   * Removes as much of the content as one call has time for. `taken` says how much in words; `left` is a lower bound of what
   * remains. Only for kinds that must be empty before they are removed. `rows` are all of the project's.
   */
  empty?: (work: Work, row: Registered, rows: Registered[]) => Promise<{ taken: string; left: number }>
  /** Succeeds when the resource is already gone. The caller removes the row. */
  remove: (cloud: Cloud, row: Registered, of: OfProject<Omit<ProjectRef, 'slug'>>) => Promise<void>
  /**
   * Gives the row to another project that uses the resource too, and returns whether there is one. A teardown then keeps the
   * resource.
   */
  handOver?: (db: Db, project: { id: string; org_id: string }, row: Registered) => Promise<boolean>
  /** Returns how much of the app's data it holds, in words; null when that cannot be counted. */
  measure?: (cloud: Cloud, row: Registered) => Promise<string | null>
}
