import type { CallsKind } from '../cloudflare/calls.ts'
import type { Cloud } from '../cloudflare/client.ts'
import type { Db, Trx } from '../db/database.ts'
import type { Core, Needs, Ports } from '../platform.ts'
import type { Finding, OfProject, Registered } from './kinds/kind.ts'
import type { AppTier, ResourceKind } from './names.ts'
import type { ProjectRef, Work } from './work.ts'

/** Functions that make resources which need more than one call to the account. Each is idempotent. */
export interface Makers {
  /** Publishes again what a tier serves. Deletes the row of a tier that serves nothing. */
  app: (work: Work, row: { id: string }, tier: AppTier) => Promise<void>
  /**
   * Makes the worker that contains the project's objects, with its namespace. `enabled` defaults to the capabilities that are enabled and
   * usable.
   */
  live: (work: Work, enabled?: ReadonlySet<string>) => Promise<void>
  /**
   * Makes the worker that serves the operator. `enabled` has the same default; it is a promise, because bound resources may still be in the
   * making.
   */
  admin: (work: Work, enabled?: Promise<ReadonlySet<string>>) => Promise<void>
  uploads: (work: Work) => Promise<void>
  domain: (work: Work) => Promise<void>
  queue: (work: Work, row: Registered) => Promise<void>
  widget: (work: Work, row: Registered) => Promise<void>
  calls: (work: Work, row: Registered & { kind: CallsKind }) => Promise<void>
  aiGateway: (work: Work, row: Registered) => Promise<void>
  workflow: (work: Work, row: Registered) => Promise<void>
}

/** A capability as a release reads it. */
export interface CapabilityState {
  key: string
  state: 'creating' | 'idle' | 'error'
  error: { code: string; message: string } | null
}

/** What the folders below `server/capabilities` call there. */
export interface CapabilityPort {
  states: (db: Db | Trx, projectId: string) => Promise<CapabilityState[]>
  /** Updates what depends on the host names of the app after they have changed. */
  followHosts: (platform: Core, cloud: Cloud, project: ProjectRef) => Promise<void>
  uploadVariables: (db: Db | Trx, projectId: string) => Promise<Record<string, string>>
  /** Makes missing resources; with `repair` also those that ended in an error. `states` returns the result. */
  provision: (work: Omit<Work, 'cloud'>, options: { repair: boolean }) => Promise<void>
  /** Rebinds the running apps to the enabled capabilities when that is due. */
  rebindWhenDue: (work: Omit<Work, 'cloud'>) => Promise<void>
  /** Stores which enabled capabilities lack one of these resources. */
  recordMissing: (
    trx: Trx,
    project: ProjectRef,
    gone: { kind: ResourceKind; name: string }[],
  ) => Promise<void>
  /** Functions for the webhook endpoints at Stripe. */
  endpoints: {
    find: (of: OfProject & { cloud: Cloud }, row: Registered) => Promise<Finding>
    make: (work: Work, row: Registered) => Promise<void>
    remove: (of: OfProject<Omit<ProjectRef, 'slug'>>, row: Registered) => Promise<void>
  }
  /**
   * Empties the buckets among these rows through the workers that are bound to them. All rows must be of one account. Returns how many
   * objects were removed.
   */
  emptyBuckets: (
    platform: Needs<'config' | 'keyring'>,
    project: Omit<ProjectRef, 'slug'>,
    rows: readonly Registered[],
    by: { actor: string; signal: AbortSignal },
  ) => Promise<number>
}

/** What the folders below `server/releases` call there. */
export interface ReleasePort {
  serving: (db: Db | Trx, project: ProjectRef, tier: AppTier) => Promise<{ sha: string } | null>
  /** True also for a tier that served once and no longer serves. */
  hasServed: (db: Db | Trx, project: ProjectRef, tier: AppTier) => Promise<boolean>
  isShipping: (db: Db | Trx, project: ProjectRef) => Promise<boolean>
  /** Rebinds the serving versions to these capabilities, with unchanged code. */
  rebind: (work: Work, enabled: ReadonlySet<string>) => Promise<void>
  /** Connects what a tier serves to its queue and its flows again. */
  connect: (work: Work, tier: AppTier) => Promise<void>
  /** Stores that a tier no longer serves. Returns whether it served before. */
  recordOffline: (trx: Trx, project: ProjectRef, tier: AppTier, at: Date) => Promise<boolean>
  /** Queues a publication of the newest commit on main as preview. */
  queuePreview: (
    platform: Pick<Ports, 'jobs'>,
    trx: Trx,
    project: { orgId: string; projectId: string },
  ) => Promise<void>
  /** Queues a stored task after the other changes of the project's apps. */
  queueTask: (
    platform: Pick<Ports, 'jobs'>,
    trx: Trx,
    task: { orgId: string; projectId: string; taskId: string },
  ) => Promise<void>
}

// Declared here and not in `platform.ts`, because that file is in a lower layer than the types above.
declare module '../platform.ts' {
  interface Ports {
    makers: Makers
    capabilities: CapabilityPort
    releases: ReleasePort
  }
}
