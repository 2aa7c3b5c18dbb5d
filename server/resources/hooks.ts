import type { CallsKind } from '../cloudflare/calls.ts'
import type { Cloud } from '../cloudflare/client.ts'
import type { Binding } from '../cloudflare/upload.ts'
import type { Db, Trx } from '../db/database.ts'
import type { Core, Needs, Ports } from '../platform.ts'
import type { Finding, OfProject, Registered } from './kinds/kind.ts'
import type { AppTier, Named, ResourceKind } from './names.ts'
import type { ProjectRef, Work } from './work.ts'

/** Makes what needs more than one call to the account. Each may run twice. */
export interface Makers {
  /** Publishes what a tier serves again; forgets the row of a tier that serves nothing. */
  app: (work: Work, row: { id: string }, tier: AppTier) => Promise<void>
  /** The worker that holds the project's objects, with its namespace. `enabled` defaults to what is on and usable. */
  live: (work: Work, enabled?: ReadonlySet<string>) => Promise<void>
  /** The worker that serves the operator. `enabled` has the same default; it may still wait for what is bound. */
  admin: (work: Work, enabled?: Promise<ReadonlySet<string>>) => Promise<void>
  uploads: (work: Work) => Promise<void>
  domain: (work: Work) => Promise<void>
  queue: (work: Work, row: Registered) => Promise<void>
  widget: (work: Work, row: Registered) => Promise<void>
  calls: (work: Work, row: Registered & { kind: CallsKind }) => Promise<void>
  aiGateway: (work: Work, row: Registered) => Promise<void>
  workflow: (work: Work, row: Registered) => Promise<void>
}

/** The endpoints that payments have at Stripe. */
export interface EndpointHooks {
  find: (of: OfProject & { cloud: Cloud }, row: Registered) => Promise<Finding>
  make: (work: Work, row: Registered) => Promise<void>
  remove: (of: OfProject<Omit<ProjectRef, 'slug'>>, row: Registered) => Promise<void>
}

/** What a capability needs in the account, by `kind` and `name`. */
export interface Need {
  key: string
  resources: { kind: ResourceKind; name: string }[]
}

/** A capability as a release sees it. */
export interface CapabilityState {
  key: string
  state: 'creating' | 'idle' | 'error'
  error: { code: string; message: string } | null
}

/** The app as its objects know it: the hash names the compiled manifest. */
export interface CompiledApp {
  hash: string
  manifest: object
}

/** The secrets of a project, opened, and a text that changes with them and tells nothing about them. */
export interface LiveSecrets {
  values: Record<string, string>
  version: string
}

/** What the live worker is given that differs from account to account. */
export interface LiveInAccount {
  variables: Record<string, string>
  bindings: Binding[]
}

/** What the registry and the releases ask of `server/capabilities`. */
export interface CapabilityHooks {
  enabled: (db: Db | Trx, projectId: string) => Promise<Set<string>>
  /** The enabled ones that workers can be bound for: the account refuses no product of theirs. */
  usable: (work: Pick<Work, 'platform' | 'cloud' | 'project'>) => Promise<Set<string>>
  /** The enabled ones with the state of their resources. */
  states: (db: Db | Trx, projectId: string) => Promise<CapabilityState[]>
  needs: (keys: Iterable<string>, project: Named) => Need[]
  /** What the app's worker of a tier is given. */
  bindings: (keys: ReadonlySet<string>, project: Named, tier: AppTier) => Binding[]
  /** The access code of the live app as its worker is given it, with its id; null without one. */
  gate: (
    platform: Needs<'keyring'>,
    project: Pick<ProjectRef, 'id' | 'org_id'>,
  ) => Promise<{ id: string; text: string } | null>
  /** What the admin worker is given beside the way to the objects. */
  adminBindings: (keys: ReadonlySet<string>, project: Named) => Binding[]
  /** Settings as the worker that holds the objects reads them. */
  liveVariables: (db: Db | Trx, projectId: string) => Promise<Record<string, string>>
  /** What a project has in one account: addresses for mail, the key of a widget, limits, a model. */
  liveInAccount: (
    db: Db | Trx,
    project: ProjectRef,
    of: { accountId: string; enabled: ReadonlySet<string> },
  ) => Promise<LiveInAccount>
  /** Tells what depends on the hosts of the app that they have changed. */
  followHosts: (platform: Core, cloud: Cloud, project: ProjectRef) => Promise<void>
  /** The secrets of what is on, by the name of their binding; only the live worker is given them. */
  liveSecrets: (platform: Needs<'keyring'>, project: { id: string; org_id: string }) => Promise<LiveSecrets>
  /** Settings as the upload worker reads them. */
  uploadVariables: (db: Db | Trx, projectId: string) => Promise<Record<string, string>>
  /** Makes what is missing, and with `repair` also what ended in an error. The outcome is in `states`. */
  provision: (work: Omit<Work, 'cloud'>, options: { repair: boolean }) => Promise<void>
  /** Gives the running apps the bindings of what is on, when that is due. */
  rebindWhenDue: (work: Omit<Work, 'cloud'>) => Promise<void>
  /** Notes which enabled capabilities lack one of these resources. */
  recordMissing: (
    trx: Trx,
    project: ProjectRef,
    gone: { kind: ResourceKind; name: string }[],
  ) => Promise<void>
  /** Takes the errors of a move that was given up back: what failed elsewhere is there at home. */
  clearErrors: (trx: Trx, projectId: string) => Promise<void>
  /** Tells the objects which release serves, and opens the operator reads. `app` is null for a broken manifest. */
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
  /** Lets Stripe send its events to a tier that serves now. */
  takePayments: (work: Work, tier: AppTier) => Promise<void>
  /**
   * Lets the serving worker of a tier take the messages of its queue and run its flows, as far as it has their bindings
   * (`bound`). `app` is null for a broken manifest.
   */
  connect: (
    work: Work,
    tier: AppTier,
    of: { app: CompiledApp | null; bound: ReadonlySet<string> },
  ) => Promise<void>
  /** Leaves the messages and the flows of a tier where they are, those of these capabilities. */
  disconnect: (
    work: Pick<Work, 'platform' | 'cloud' | 'project'>,
    tier: AppTier,
    keys: ReadonlySet<string>,
  ) => Promise<void>
  /**
   * Keeps what capabilities would deliver to a tier where it is, until it is published again; all but `kept`. The objects
   * call the app through a binding, which is not changed here (`ensureLive`).
   */
  rest: (
    work: Pick<Work, 'platform' | 'cloud' | 'project'>,
    tier: AppTier,
    kept: ReadonlySet<string>,
  ) => Promise<void>
  /** Returns the keys among these whose objects may call the app of some tier. */
  callersAmong: (keys: ReadonlySet<string>) => string[]
  /** Returns the keys among these whose objects call the app of this tier, as the project's settings say. */
  callers: (db: Db | Trx, projectId: string, keys: ReadonlySet<string>, tier: AppTier) => Promise<string[]>
  /** Returns why the account does not call the live app's worker for `queue` or `flow`, or null when it does. */
  findDisconnected: (cloud: Cloud, project: ProjectRef, key: string) => Promise<string | null>
  /** Returns what a person still has to give enabled capabilities. `app` is what serves, or null. */
  listMissing: (
    db: Db,
    project: Pick<ProjectRef, 'id' | 'org_id'>,
    app: CompiledApp | null,
  ) => Promise<{ key: string; reason: string }[]>
  /** Reads something cheap from the objects; throws when they do not reply. */
  ping: (platform: Needs<'config' | 'keyring'>, project: ProjectRef, signal: AbortSignal) => Promise<void>
}

/** What the registry and the capabilities ask of `server/releases`. */
export interface ReleaseHooks {
  /** What a tier serves, or null. */
  serving: (db: Db | Trx, project: ProjectRef, tier: AppTier) => Promise<{ sha: string } | null>
  /** Whether a tier serves or has served anything. */
  hasServed: (db: Db | Trx, project: ProjectRef, tier: AppTier) => Promise<boolean>
  isShipping: (db: Db | Trx, project: ProjectRef) => Promise<boolean>
  /** Gives what serves the bindings of these capabilities; the code stays. */
  rebind: (work: Work, enabled: ReadonlySet<string>) => Promise<void>
  /** Connects what a tier serves with its queue and its flows again. */
  connect: (work: Work, tier: AppTier) => Promise<void>
  /** Notes that a tier serves nothing any more; returns whether it did before. */
  recordOffline: (trx: Trx, project: ProjectRef, tier: AppTier, at: Date) => Promise<boolean>
  /** Queues publishing the head of main as preview. */
  queuePreview: (
    platform: Pick<Ports, 'jobs'>,
    trx: Trx,
    project: { orgId: string; projectId: string },
  ) => Promise<void>
  /** Queues a stored task behind the other changes of the project's apps. */
  queueTask: (
    platform: Pick<Ports, 'jobs'>,
    trx: Trx,
    task: { orgId: string; projectId: string; taskId: string },
  ) => Promise<void>
}

/** What the registry needs of the folders above it. */
export interface Hooks {
  makers: Makers
  endpoints: EndpointHooks
  /** Empties the buckets among these rows of one account through their workers; returns how many objects were removed. */
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

/** Called once at start-up, before the first request or job. */
export function provideHooks(hooks: Hooks): void {
  provided = hooks
}

/** Throws when the start-up did not provide the hooks. */
export function hooks(): Hooks {
  if (provided === null) throw new Error('provideHooks was not called')
  return provided
}
