import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type { TokenServer } from '@slipway/runtime/auth/oauth-exchange.ts'
import type * as z from 'zod'
import type { Binding } from '../cloudflare/upload.ts'
import {
  adminName,
  type AppTier,
  liveName,
  type Named,
  uploadsName,
  type ResourceKind,
} from '../resource-names.ts'

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
  /** Readiness does not report this resource as missing, because only some apps need it. */
  isOptional?: true
  /** Where the secret is tried before it is saved. Without this field it is saved untried. */
  triedAt?: SecretTrial
}

/** The client of a token server, or the model whose service the key is for. `isKnown` is false for an address that the operator entered. */
export type SecretTrial =
  | { tokenServer: Omit<TokenServer, 'clientSecret'>; isKnown: boolean }
  | { model: string | null }

/** A value that the service makes once for a project. No response shows it and no request changes it. */
export interface GeneratedSecretSpec {
  binding: string
  /** Completes the sentence in `DEPLOY.md` that names the binding, for people who deploy the repository by hand. */
  description: string
  /** Null when the provider makes the secret and the capability stores it. */
  make: (() => string) | null
}

/**
 * The parts of the live worker that differ by account. The live worker contains the Durable Objects of an
 * app, of both tiers, and is deployed beside the app's own workers.
 */
export interface LiveInAccount {
  variables: Record<string, string>
  bindings: Binding[]
}

export interface Capability<Settings extends z.ZodObject = z.ZodObject> {
  key: CapabilityKey
  title: string
  about: string
  /** The cost in the connected account, shown before the capability is enabled. */
  cost: string
  /** Every field needs a title and a description, because the console draws its form from them. */
  settings: Settings
  /** The keys are the names used in requests: `stripeKey`, whose presence responses return as `hasStripeKey`. */
  secrets: (settings: z.output<Settings>) => Record<string, SecretSpec>
  /** The keys are the names under which the values are stored. */
  generated: Record<string, GeneratedSecretSpec>
  /** A paragraph of `DEPLOY.md`: what the settings mean for a repository that is deployed by hand. */
  byHand: string
  dependsOn: (settings: z.output<Settings>) => CapabilityKey[]
  /** The console shows the first one with the capability. */
  resources: (project: Named) => ResourceSpec[]
  /** Bindings of the app's worker. None may be a secret, because generated code runs in that worker. */
  bindings: (project: Named, tier: AppTier) => Binding[]
  /** Bindings of the app's worker while the local stand-in for Cloudflare, whose API has this origin, runs it. */
  localBindings: (apiOrigin: string) => Binding[]
  /** Bindings of the admin worker, besides its binding to the app's Durable Objects. */
  operatorBindings: (project: Named) => Binding[]
  /**
   * The live worker's bindings to a product of the account. They are added only once the account is known to have the product
   * (`switch/products.ts`).
   */
  liveBindings: Binding[]
  /** The same for a repository that is deployed by hand. By default these are `liveBindings`. */
  liveBindingsByHand: Binding[]
  /**
   * Returns whether the capability's Durable Objects call the app's worker of a tier (production or preview)
   * through its entry point `Handlers`. Null when they never do. The live worker is bound to the app only for
   * capabilities that call it.
   */
  callsApp: ((settings: z.output<Settings>, tier: AppTier) => boolean) | null
  /** Returns what an app with this `app.json` needs and the settings do not contain, one sentence for each. */
  lacks: (settings: z.output<Settings>, manifest: object) => string[]
  /** Fields that the capability adds to `app.json`. An app with one of these fields must list the capability in `uses`. */
  manifest: Record<string, z.ZodType>
  /** The fields of `app.json` that require the capability. By default these are the fields of `manifest`. */
  impliedBy: string[]
  /** Returns the settings as variables of the live worker. */
  variables: (settings: z.output<Settings>, projectId: string) => Record<string, string>
  /** Variables of the app's and of the live worker in a repository that is deployed by hand. */
  variablesByHand: Record<string, string>
  /** Returns the settings as variables of the upload worker, which uses them even while the capability is disabled. */
  uploadVariables: (settings: z.output<Settings>) => Record<string, string>
  /** True when so much code of pages belongs to the capability that it is loaded apart from the page, when it is used. */
  isLoadedLater: boolean
  /** True when a build that may enable the capability always gets its guide, and not only the line that says what it is. */
  isGuideAlwaysShown: boolean
}

type Required = 'key' | 'title' | 'about' | 'cost' | 'settings'
type Declared<Settings extends z.ZodObject> = Pick<Capability<Settings>, Required> &
  Partial<Omit<Capability<Settings>, Required>>

/** Declares a capability. Everything else that describes it is derived from this declaration. */
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
    localBindings: () => [],
    operatorBindings: () => [],
    liveBindings: [],
    liveBindingsByHand: declared.liveBindings ?? [],
    callsApp: null,
    lacks: () => [],
    variables: () => ({}),
    variablesByHand: {},
    uploadVariables: () => ({}),
    isLoadedLater: false,
    isGuideAlwaysShown: false,
    ...declared,
  }
  // Its functions accept only their own settings type, which is safe: callers pass values that this schema has parsed.
  return whole
}

/**
 * The namespace of the project's Durable Objects. All capabilities that keep data in Durable Objects share
 * it.
 */
export const sharedObject = (project: Named): ResourceSpec => ({
  kind: 'object_namespace',
  name: liveName(project),
})

/**
 * The worker that serves requests of the service on behalf of the app's operator. All capabilities with such
 * requests share it.
 */
export const adminWorker = (project: Named): ResourceSpec => ({ kind: 'worker', name: adminName(project) })

/** The worker that takes uploads and serves assets. It has the same name as its bucket. */
export const uploadWorker = (project: Named): ResourceSpec => ({
  kind: 'worker',
  name: uploadsName(project),
})

/**
 * The app's binding to the Durable Objects of its own tier. It binds to an entry point of the live worker and
 * not to the namespace, so that app code cannot reach objects of the other tier.
 */
export const liveBinding = (project: Named, tier: AppTier): Binding => ({
  type: 'service',
  name: 'LIVE',
  service: liveName(project),
  entrypoint: tier === 'production' ? 'Production' : 'Preview',
})

const NAME_SEPARATOR = ': '

/** Joins code and message, because the row has one column for both. `splitReason` splits them again. */
export const joinReason = (reason: { code: string; message: string }): string =>
  `${reason.code}${NAME_SEPARATOR}${reason.message}`

/** Splits a text that `joinReason` made. */
export function splitReason(reason: string): { code: string; message: string } {
  const at = reason.indexOf(NAME_SEPARATOR)
  return { code: reason.slice(0, at), message: reason.slice(at + NAME_SEPARATOR.length) }
}
