import type { CallsKind } from '../cloudflare/calls.ts'
import type { Cloud } from '../cloudflare/client.ts'
import type { Binding } from '../cloudflare/upload.ts'
import type { Db, Trx } from '../db/database.ts'
import type { Core, Needs, Ports } from '../platform.ts'
import type { Finding, OfProject, Registered } from './kinds/kind.ts'
import type { AppTier, Named, ResourceKind } from './names.ts'
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

/** Functions for the webhook endpoints at Stripe. */
export interface EndpointHooks {
  find: (of: OfProject & { cloud: Cloud }, row: Registered) => Promise<Finding>
  make: (work: Work, row: Registered) => Promise<void>
  remove: (of: OfProject<Omit<ProjectRef, 'slug'>>, row: Registered) => Promise<void>
}

/** The resources that a capability needs in the account. */
export interface Need {
  key: string
  resources: { kind: ResourceKind; name: string }[]
}

/** A capability as a release reads it. */
export interface CapabilityState {
  key: string
  state: 'creating' | 'idle' | 'error'
  error: { code: string; message: string } | null
}

export interface CompiledApp {
  hash: string
  manifest: object
}

export interface LiveSecrets {
  values: Record<string, string>
  version: string
}

/** The parts of the live worker that differ by account. */
export interface LiveInAccount {
  variables: Record<string, string>
  bindings: Binding[]
}

/** `server/capabilities` is above this folder, so start-up passes its functions in (`provideHooks`). */
export interface CapabilityHooks {
  enabled: (db: Db | Trx, projectId: string) => Promise<Set<string>>
  /** Returns the enabled capabilities, without those whose product the account refuses. Workers can be bound for the returned ones. */
  usable: (work: Pick<Work, 'platform' | 'cloud' | 'project'>) => Promise<Set<string>>
  states: (db: Db | Trx, projectId: string) => Promise<CapabilityState[]>
  needs: (keys: Iterable<string>, project: Named) => Need[]
  /** Returns bindings of the app's worker. None may be a secret, because generated code runs in that worker. */
  bindings: (keys: ReadonlySet<string>, project: Named, tier: AppTier) => Binding[]
  /** Returns the access code of the live app in the form that its worker receives, with its id; null without a code. */
  gate: (
    platform: Needs<'keyring'>,
    project: Pick<ProjectRef, 'id' | 'org_id'>,
  ) => Promise<{ id: string; text: string } | null>
  /** Returns bindings of the admin worker, besides its binding to the objects. */
  adminBindings: (keys: ReadonlySet<string>, project: Named) => Binding[]
  /** Returns the settings as variables of the live worker. */
  liveVariables: (db: Db | Trx, projectId: string) => Promise<Record<string, string>>
  /** Returns values of a project that differ by account: addresses for mail, the key of a widget, limits, a model. */
  liveInAccount: (
    db: Db | Trx,
    project: ProjectRef,
    of: { accountId: string; enabled: ReadonlySet<string> },
  ) => Promise<LiveInAccount>
  /** Updates what depends on the host names of the app after they have changed. */
  followHosts: (platform: Core, cloud: Cloud, project: ProjectRef) => Promise<void>
  /** Returns the secrets of enabled capabilities, by the name of their binding. Only the live worker receives them. */
  liveSecrets: (platform: Needs<'keyring'>, project: { id: string; org_id: string }) => Promise<LiveSecrets>
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
  /** Clears the errors of capabilities after a move was given up: they are about the other account, and in this one the resources exist. */
  clearErrors: (trx: Trx, projectId: string) => Promise<void>
  /** Tells the objects which release serves, and enables the operator's reads. `app` is null for an invalid manifest. */
  activate: (
    platform: Needs<'config' | 'keyring'>,
    project: ProjectRef,
    release: {
      tier: AppTier
      app: CompiledApp | null
      enabled: ReadonlySet<string>
      signal: AbortSignal
    },
  ) => Promise<void>
  /** Points Stripe's events to a tier that is live. */
  takePayments: (work: Work, tier: AppTier) => Promise<void>
  /**
   * Lets the serving worker of a tier consume its queue and run its flows, as far as it has their bindings (`bound`). `app` is null for an
   * invalid manifest.
   */
  connect: (
    work: Work,
    tier: AppTier,
    of: { app: CompiledApp | null; bound: ReadonlySet<string> },
  ) => Promise<void>
  /** Stops deliveries of these capabilities to a tier. Messages and flows wait. */
  disconnect: (
    work: Pick<Work, 'platform' | 'cloud' | 'project'>,
    tier: AppTier,
    keys: ReadonlySet<string>,
  ) => Promise<void>
  /**
   * Stops deliveries of all capabilities other than `kept` to a tier, until it is published again. The binding through which the objects
   * call the app is changed elsewhere (`ensureLive`).
   */
  rest: (
    work: Pick<Work, 'platform' | 'cloud' | 'project'>,
    tier: AppTier,
    kept: ReadonlySet<string>,
  ) => Promise<void>
  callersAmong: (keys: ReadonlySet<string>) => string[]
  /** Returns those of the keys whose objects call the app of this tier, according to the project's settings. */
  callers: (db: Db | Trx, projectId: string, keys: ReadonlySet<string>, tier: AppTier) => Promise<string[]>
  /** Returns why the account does not call the live app's worker for `queue` or `flow`, or null when it does. */
  findDisconnected: (cloud: Cloud, project: ProjectRef, key: string) => Promise<string | null>
  /** Returns what a person still has to set for enabled capabilities. `app` is the serving release, or null. */
  listMissing: (
    db: Db,
    project: Pick<ProjectRef, 'id' | 'org_id'>,
    app: CompiledApp | null,
  ) => Promise<{ key: string; reason: string }[]>
  /** Makes a cheap read from the objects. Rejects when they do not respond. */
  ping: (platform: Needs<'config' | 'keyring'>, project: ProjectRef, signal: AbortSignal) => Promise<void>
}

/** `server/releases` is above this folder, so start-up passes its functions in (`provideHooks`). */
export interface ReleaseHooks {
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

export interface Hooks {
  makers: Makers
  endpoints: EndpointHooks
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
  capabilities: CapabilityHooks
  releases: ReleaseHooks
}

let provided: Hooks | null = null

/** Call it once at start-up, before the first request or job. */
export function provideHooks(hooks: Hooks): void {
  provided = hooks
}

/** Throws when the start-up has not called `provideHooks`. */
export function hooks(): Hooks {
  if (provided === null) throw new Error('provideHooks was not called')
  return provided
}
