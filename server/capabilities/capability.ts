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

/** A resource that a capability needs in the connected account. Its name is derived from the slug. */
export interface ResourceSpec {
  kind: ResourceKind
  name: string
}

export interface SecretSpec {
  schema: z.ZodType<string>
  title: string
  description: string
  /** The name of its binding in the worker that uses it. */
  binding: string
  /** Only some apps need it, so readiness does not report it as missing. */
  isOptional?: true
}

/** A value that the service makes once for a project. No response shows it and no request changes it. */
export interface GeneratedSecretSpec {
  binding: string
  /** What a person who deploys the repository by hand has to set, as the rest of a sentence. */
  description: string
  /** Null: the capability itself stores the secret that the provider has made. */
  make: (() => string) | null
}

export interface Capability<Settings extends z.ZodObject = z.ZodObject> {
  key: CapabilityKey
  title: string
  about: string
  /** The cost in the connected account, shown before the capability is enabled. */
  cost: string
  /** Every field needs a title and a description, because the console draws its form from them. */
  settings: Settings
  /** By the names under which they are written: `stripeKey` is read as `hasStripeKey`. */
  secrets: (settings: z.output<Settings>) => Record<string, SecretSpec>
  /** By the names under which they are stored. */
  generated: Record<string, GeneratedSecretSpec>
  /** What a repository that is deployed by hand must know of the settings: a paragraph of `DEPLOY.md`. */
  byHand: string
  dependsOn: (settings: z.output<Settings>) => CapabilityKey[]
  /** The first one is shown with the capability. */
  resources: (project: Named) => ResourceSpec[]
  /** Bindings of the app's worker. None may be a secret, because generated code runs there. */
  bindings: (project: Named, tier: AppTier) => Binding[]
  /** Bindings of the admin worker beside the one to the objects. */
  operatorBindings: (project: Named) => Binding[]
  /**
   * Bindings of the live worker to a product of the account. The account is asked first whether it has the product
   * (`switch/products.ts`).
   */
  liveBindings: Binding[]
  /**
   * Returns whether the capability's objects call the app of a tier through `Handlers`; null: they never do. The live worker is
   * bound to the app for exactly these capabilities.
   */
  callsApp: ((settings: z.output<Settings>, tier: AppTier) => boolean) | null
  /** Returns what an app with this `app.json` needs and the settings lack, one sentence each. */
  lacks: (settings: z.output<Settings>, manifest: object) => string[]
  /** Fields that it adds to `app.json`. An app with one of them must list the key in `uses`. */
  manifest: Record<string, z.ZodType>
  /** The fields of `app.json` that need it; by default those of `manifest`. */
  impliedBy: string[]
  /** Settings as the live worker reads them. */
  variables: (settings: z.output<Settings>, projectId: string) => Record<string, string>
  /** Settings as the upload worker reads them. They apply while the capability is disabled, too. */
  uploadVariables: (settings: z.output<Settings>) => Record<string, string>
}

type Required = 'key' | 'title' | 'about' | 'cost' | 'settings'
type Declared<Settings extends z.ZodObject> = Pick<Capability<Settings>, Required> &
  Partial<Omit<Capability<Settings>, Required>>

/** Declares a capability: the only place that describes it. */
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
  // The functions are called only with values that this schema has parsed.
  return whole
}

/** The project's object class; capabilities with an object part share it. */
export const sharedObject = (project: Named): ResourceSpec => ({
  kind: 'object_namespace',
  name: liveName(project),
})

/** The worker that serves the operator; capabilities with an operator read share it. */
export const adminWorker = (project: Named): ResourceSpec => ({ kind: 'worker', name: adminName(project) })

/** The worker that takes uploads and serves assets. It has the same name as its bucket. */
export const uploadWorker = (project: Named): ResourceSpec => ({
  kind: 'worker',
  name: uploadsName(project),
})

/** The app's binding to its own tier of the objects. Because it is no namespace, code cannot name objects of another tier. */
export const liveBinding = (project: Named, tier: AppTier): Binding => ({
  type: 'service',
  name: 'LIVE',
  service: liveName(project),
  entrypoint: tier === 'production' ? 'Production' : 'Preview',
})

const SEPARATOR = ': '

/** Joins code and message, because the row has one column for both; `splitReason` parses it. */
export const joinReason = (reason: { code: string; message: string }): string =>
  `${reason.code}${SEPARATOR}${reason.message}`

/** Parses a text of `joinReason`. */
export function splitReason(reason: string): { code: string; message: string } {
  const at = reason.indexOf(SEPARATOR)
  return { code: reason.slice(0, at), message: reason.slice(at + SEPARATOR.length) }
}
