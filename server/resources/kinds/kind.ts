import type { Selectable } from 'kysely'
import type { Cloud } from '../../cloudflare/client.ts'
import type { ResourcesTable } from '../../db/tables/projects.ts'
import type { Platform } from '../../platform.ts'
import type { ResourceKind } from '../registry.ts'

/** A row of the registry, as far as a kind needs it. */
export type Registered = Pick<
  Selectable<ResourcesTable>,
  'id' | 'name' | 'account_id' | 'tier' | 'capability' | 'provider_id' | 'version_id' | 'state'
> & { kind: ResourceKind }

/** A project as everything that works on its resources needs it. */
export interface Owner {
  id: string
  org_id: string
  name: string
  slug: string
}

/** What making something anew takes. */
export interface Making {
  platform: Platform
  cloud: Cloud
  project: Owner
  actor: string
  signal: AbortSignal
}

/** How a row compares with the account: `drifted` is there, but not as we left it. */
export type Finding = 'ok' | 'missing' | 'drifted'

/** One kind of thing in the account: how it is looked at, made, and removed. Each of these may run twice. */
export interface Kind {
  /** Making it anew brings it back empty. */
  holdsData: boolean
  /** It lives and dies with the thing of this kind and its own name: one call removes both. */
  partOf?: ResourceKind
  find(cloud: Cloud, row: Registered): Promise<Finding>
  /** Brings it to where its row says it should be, and settles the row. */
  make(work: Making, row: Registered): Promise<void>
  /**
   * Takes out what it holds, as much as one call has time for: `taken` is that in words, `left` how much there is still,
   * at the least. Only for what has to be empty before it is removed. `rows` are all of the project's.
   */
  empty?(work: Making, row: Registered, rows: Registered[]): Promise<{ taken: string; left: number }>
  /** What is gone already is fine. The row is the caller's. */
  remove(cloud: Cloud, row: Registered): Promise<void>
  /** How much of somebody's data it holds, in words; null when nobody can tell. */
  measure?(cloud: Cloud, row: Registered): Promise<string | null>
}
