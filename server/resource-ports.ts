import type { Selectable } from 'kysely'
import type { Accounts } from './account-port.ts'
import type { CheckerPool } from './agent/check/pool/pool.ts'
import type { Packages } from './agent/packages/packages.ts'
import type { CallsKind } from './cloudflare/products/calls.ts'
import type { Cloud } from './cloudflare/client.ts'
import type { Config } from './config.ts'
import type { Core } from './core.ts'
import type { Keyring } from './crypto/keyring.ts'
import type { ProjectIdsAndName, ResourcesTable } from './db/tables/projects.ts'
import type { AppTier, ResourceKind } from './resource-names.ts'

export interface ProjectRef extends ProjectIdsAndName {
  slug: string
}

export type RegisteredResource = Pick<
  Selectable<ResourcesTable>,
  'id' | 'name' | 'account_id' | 'tier' | 'capability' | 'provider_id' | 'version_id' | 'state'
> & {
  kind: ResourceKind
  /** True when a look-up has just found no resource of this name in the account, so that the creation need not repeat the look-up. */
  wasMissing?: boolean
}

/** The parts of the service that opening a connected account needs. */
interface AccountOpener {
  accounts: Accounts
}

/** Work on the resources of one project in its cloud account. `Parts` are the parts of the service that the work uses beside `accounts`. */
export interface ResourceWorkOf<Parts> {
  platform: Core & AccountOpener & Parts
  cloud: Cloud
  project: ProjectRef
  /** The name that the activity log shows. */
  actor: string
  signal: AbortSignal
}

/** The part of the service that decrypts the stored secrets of a project. */
interface SecretParts {
  keyring: Keyring
}

/** The parts of the service that publishing an app needs: for the settings and secrets of its workers, and to bundle it. */
export interface PublishParts extends AccountOpener, SecretParts {
  config: Config
  checkers: CheckerPool
  packages: Packages
}

/** Functions that create resources of those kinds that need more than one call to the account. Each function is idempotent. */
export interface Makers {
  /** Republishes the version that production or the preview serves. Deletes the worker's row when no version is served. */
  app: (work: ResourceWorkOf<PublishParts>, row: { id: string }, tier: AppTier) => Promise<void>
  /**
   * Deploys the worker with the project's Durable Objects and their namespace. `enabled` defaults to the capabilities that
   * are enabled and usable.
   */
  live: (work: ResourceWorkOf<SecretParts>, enabled?: ReadonlySet<string>) => Promise<void>
  /**
   * Deploys the admin worker, which serves requests of this service. `enabled` has the same default as in `live`. `enabled` is a promise,
   * so that the worker can be prepared while the resources that it binds are still being created.
   */
  admin: (work: ResourceWorkOf<object>, enabled?: Promise<ReadonlySet<string>>) => Promise<void>
  uploads: (work: ResourceWorkOf<object>) => Promise<void>
  domain: (work: ResourceWorkOf<{ widgets: WidgetPort }>) => Promise<void>
  queue: (
    work: ResourceWorkOf<SecretParts & { releases: ReleasePort }>,
    row: RegisteredResource,
  ) => Promise<void>
  workflow: (
    work: ResourceWorkOf<SecretParts & { releases: ReleasePort }>,
    row: RegisteredResource,
  ) => Promise<void>
  widget: (work: ResourceWorkOf<SecretParts & { makers: Makers }>, row: RegisteredResource) => Promise<void>
  calls: (
    work: ResourceWorkOf<SecretParts & { makers: Makers }>,
    row: RegisteredResource & { kind: CallsKind },
  ) => Promise<void>
  aiGateway: (
    work: ResourceWorkOf<SecretParts & { makers: Makers }>,
    row: RegisteredResource,
  ) => Promise<void>
  webhookEndpoint: (
    work: ResourceWorkOf<SecretParts & { makers: Makers }>,
    row: RegisteredResource,
  ) => Promise<void>
}

/** The parts of the service that creating a resource of any kind may use. */
export interface MakingParts extends PublishParts {
  makers: Makers
  releases: ReleasePort
  widgets: WidgetPort
}

export interface RebindOptions {
  /**
   * True when the caller is a deploy job of the project. A deploy job must not wait for other deployments: no other is running, and queued
   * deployments cannot begin before the job has ended.
   */
  isDeployJob: boolean
}

/** Functions of `server/capabilities` that folders in lower layers call but cannot import. */
export interface CapabilityPort {
  /**
   * Creates missing resources and, with `repair`, also resources whose creation or repair failed before. Stores the result in the rows of
   * the capabilities.
   */
  provision: (work: Omit<ResourceWorkOf<MakingParts>, 'cloud'>, options: { repair: boolean }) => Promise<void>
  /** Updates the bindings of the live app and of the preview when they do not match the enabled capabilities yet. */
  rebindWhenDue: (
    work: Omit<ResourceWorkOf<PublishParts & { releases: ReleasePort }>, 'cloud'>,
    options: RebindOptions,
  ) => Promise<void>
}

export interface WidgetPort {
  /** Updates the widget of an app after the host names of the app have changed. */
  syncWidgetHosts: (platform: Core, cloud: Cloud, project: ProjectRef) => Promise<void>
}

export interface BucketPort {
  /**
   * Empties the buckets among these rows through the workers bound to the buckets. All rows must be of one account. Returns the number of
   * removed objects.
   */
  empty: (
    platform: Core & AccountOpener,
    project: ProjectIdsAndName,
    rows: readonly RegisteredResource[],
    by: { actor: string; signal: AbortSignal },
  ) => Promise<number>
}

/** Functions of `server/releases` that change published apps. Folders in lower layers call them but cannot import them. */
export interface ReleasePort {
  /** Rebinds the serving versions to these capabilities, with unchanged code. */
  rebind: (
    work: ResourceWorkOf<PublishParts>,
    options: RebindOptions & { enabled: ReadonlySet<string> },
  ) => Promise<void>
  /** Connects the queue and the workflow of production or of the preview with the version that serves there. */
  connectTriggers: (work: ResourceWorkOf<SecretParts>, tier: AppTier) => Promise<void>
}
