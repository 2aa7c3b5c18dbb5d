import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type * as z from 'zod'
import type { Binding } from '../cloudflare/upload.ts'
import {
  adminName,
  type AppTier,
  liveName,
  type Named,
  uploadsName,
  type ResourceKind,
} from '../resources/names.ts'

/** A resource in the connected account that a capability needs. Its name is derived from the slug. */
export interface ResourceSpec {
  kind: ResourceKind
  name: string
}

/** A value that the operator writes and that is never read back. */
export interface SecretSpec {
  schema: z.ZodType<string>
  title: string
  description: string
  /** The name of its binding in the worker that uses it. */
  binding: string
  /** Only some apps need it, so readiness does not list it as missing. */
  isOptional?: true
}

/** A value that the service makes once for a project; nothing shows or changes it. */
export interface GeneratedSecretSpec {
  /** The name of its binding in the live worker. */
  binding: string
  /** What a person who deploys the repository by hand has to put there, as the rest of a sentence. */
  description: string
  /** Null: the capability stores it itself, when the provider has made it. */
  make: (() => string) | null
}

/** Everything the service knows of one capability. */
export interface Capability<Settings extends z.ZodObject = z.ZodObject> {
  key: CapabilityKey
  title: string
  /** What an app gains by it, in one sentence. */
  about: string
  /** What it costs in the connected account; shown before it is enabled. */
  cost: string
  /** Every field has a title and a description: the console draws its form from them. */
  settings: Settings
  /** By the name they are written under: `stripeKey` is read as `hasStripeKey`. */
  secrets: (settings: z.output<Settings>) => Record<string, SecretSpec>
  /** By the name they are stored under. */
  generated: Record<string, GeneratedSecretSpec>
  /** What a repository deployed by hand needs to know of its settings; a paragraph of `DEPLOY.md`. */
  byHand: string
  /** Capabilities that are enabled with it. */
  dependsOn: (settings: z.output<Settings>) => CapabilityKey[]
  /** A read of the capability shows the first one. */
  resources: (project: Named) => ResourceSpec[]
  /** Bindings of the app's worker. None is a secret: generated code runs there. */
  bindings: (project: Named, tier: AppTier) => Binding[]
  /** Bindings of the admin worker beside the one to the objects. */
  operatorBindings: (project: Named) => Binding[]
  /** Bindings of the live worker to a product of the account, which is asked for it first (`switch/products.ts`). */
  liveBindings: Binding[]
  /**
   * Whether its objects call the app of a tier by themselves, through `Handlers`. Null: they never do. The live worker is
   * bound to the app for exactly these capabilities.
   */
  callsApp: ((settings: z.output<Settings>, tier: AppTier) => boolean) | null
  /** What the app of this `app.json` needs of the settings and does not find there, one sentence each. */
  lacks: (settings: z.output<Settings>, manifest: object) => string[]
  /** Fields it adds to `app.json`. An app that has one of them must list the key in `uses`. */
  manifest: Record<string, z.ZodType>
  /** The fields of `app.json` that need it; by default those of `manifest`. */
  impliedBy: string[]
  /** Settings as the live worker reads them. */
  variables: (settings: z.output<Settings>, projectId: string) => Record<string, string>
  /** Settings as the upload worker reads them. They hold while the capability is disabled, too. */
  uploadVariables: (settings: z.output<Settings>) => Record<string, string>
}

type Required = 'key' | 'title' | 'about' | 'cost' | 'settings'
type Declared<Settings extends z.ZodObject> = Pick<Capability<Settings>, Required> &
  Partial<Omit<Capability<Settings>, Required>>

/** Declares a capability. No other place of the service describes it. */
export function capability<Settings extends z.ZodObject>(declared: Declared<Settings>): Capability {
  const whole: Capability<Settings> = {
    manifest: {},
    impliedBy: Object.keys(declared.manifest ?? {}),
    secrets: () => ({}),
    generated: {},
    byHand: '',
    dependsOn: () => [],
    resources: () => [],
    bindings: () => [],
    operatorBindings: () => [],
    liveBindings: [],
    callsApp: null,
    lacks: () => [],
    variables: () => ({}),
    uploadVariables: () => ({}),
    ...declared,
  }
  // The functions are only called with values that this schema has parsed.
  return whole
}

/** The project's object class; capabilities with an object part share it. */
export const sharedObject = (project: Named): ResourceSpec => ({
  kind: 'object_namespace',
  name: liveName(project),
})

/** The worker that serves the operator; capabilities with an operator read share it. */
export const adminWorker = (project: Named): ResourceSpec => ({ kind: 'worker', name: adminName(project) })

/** The worker that takes uploads and serves assets; it has the name of its bucket. */
export const uploadWorker = (project: Named): ResourceSpec => ({
  kind: 'worker',
  name: uploadsName(project),
})

/** The app's binding to its own tier of the objects. Without a namespace it cannot name objects of another tier. */
export const liveBinding = (project: Named, tier: AppTier): Binding => ({
  type: 'service',
  name: 'LIVE',
  service: liveName(project),
  entrypoint: tier === 'production' ? 'Production' : 'Preview',
})

const SEPARATOR = ': '

/** Returns why provisioning failed as one text: the code for clients, then the message for people. */
export const joinReason = (reason: { code: string; message: string }): string =>
  `${reason.code}${SEPARATOR}${reason.message}`

/** Splits what `joinReason` returned. */
export function splitReason(reason: string): { code: string; message: string } {
  const at = reason.indexOf(SEPARATOR)
  return { code: reason.slice(0, at), message: reason.slice(at + SEPARATOR.length) }
}
