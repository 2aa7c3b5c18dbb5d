import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type { TokenServer } from '@slipway/runtime/auth/sign-in/oauth-exchange.ts'
import type * as z from 'zod'
import type { Binding } from '../cloudflare/products/upload.ts'
import {
  adminName,
  type AppTier,
  bucketName,
  liveName,
  type NamedProject,
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
  /** The name of the live worker's binding that contains the secret. The app's own worker gets no secret. */
  binding: string
  /** True for a secret that only some apps need. Such a secret is not listed among the missing settings (`switch/missing.ts`). */
  isOptional?: true
  /** The provider at which the secret is checked before it is saved. Without this field it is saved unchecked. */
  triedAt?: SecretTrial
}

/**
 * How a secret is checked: as a client secret at an OAuth token server, or as an API key at the service of a model.
 * `isKnown` is false when the operator entered the address of the token server.
 */
export type SecretTrial =
  | { tokenServer: Omit<TokenServer, 'clientSecret'>; isKnown: boolean }
  | { model: string | null }

/** A secret that is generated once for a project. No response contains it and no request changes it. */
export interface GeneratedSecretSpec {
  binding: string
  /** Completes the sentence in `DEPLOY.md` that names the binding, for people who deploy the repository by hand. */
  description: string
  /** Generates the value. Null when the provider generates it and the code of the capability stores it. */
  make: (() => string) | null
}

/**
 * A separate bucket for each tier. The app's worker is bound to it under the capability's key in upper case
 * (`requireBucket` in the runtime), so the key has only letters. The admin worker, which empties the bucket and copies
 * its objects when the project moves to another account, has a binding too (`bucketOf`). The buckets, the admin worker
 * and the Durable Objects need not be among `resources`.
 */
interface OwnBucket {
  /**
   * Prefixes of object keys that a project move does not copy with the bucket: the capability copies these objects
   * from its own list, or the app can generate them again.
   */
  copiedElsewhere: readonly string[]
}

/**
 * The parts of the live worker that differ by account. The live worker contains an app's Durable Objects of both tiers
 * and is deployed beside the app's own workers.
 */
export interface AccountWorkerParts {
  variables: Record<string, string>
  bindings: Binding[]
}

export interface Capability<Settings extends z.ZodObject = z.ZodObject> {
  key: CapabilityKey
  title: string
  about: string
  /** The cost in the connected account, shown before the capability is enabled. */
  cost: string
  /**
   * What erasing a person of the app does besides emptying the person's Durable Object: what `erasure` in
   * `runtime/<key>/part.ts` says, or nothing, for the reason in `notNeeded`.
   */
  erasure: 'in part.ts' | { notNeeded: string }
  /** Every field needs a title and a description, because the console draws its form from them. */
  settings: Settings
  /**
   * The keys are the names in requests, such as `stripeKey`. Responses only say whether a secret is set, as
   * `hasStripeKey`. A check of an app uses a made-up value for each secret. A capability that verifies its secret, or
   * whose provider's responses an app's tests set, has a row in `STAND_INS` of
   * `server/agent/check/sandbox/stand-ins.ts` instead.
   */
  secrets: (settings: z.output<Settings>) => Record<string, SecretSpec>
  /** The keys are the names under which the values are stored. */
  generated: Record<string, GeneratedSecretSpec>
  /** A paragraph of `DEPLOY.md`: what the settings mean for a repository that is deployed by hand. */
  byHand: string
  dependsOn: (settings: z.output<Settings>) => CapabilityKey[]
  bucket: OwnBucket | null
  /** The OAuth scopes that the capability needs in the cloud account, in addition to those that every connection requests. */
  scopes: string[]
  /** Returns the resources that the capability needs. The console shows the first one beside the capability. */
  resources: (project: NamedProject) => ResourceSpec[]
  /**
   * Bindings of the app's worker. None may be a secret, because generated code runs in that worker. Work that needs a
   * secret is done by the live worker, called through `liveBinding`. A type of binding that no other capability has
   * needs a case in `server/agent/source/locked-config.ts` and in `server/agent/check/sandbox/stand-ins.ts`; both
   * throw for a type that they do not know.
   */
  bindings: (project: NamedProject, tier: AppTier) => Binding[]
  /** Bindings of the app's worker while the local stand-in for Cloudflare runs it. `apiOrigin` is the origin of the stand-in's API. */
  localBindings: (apiOrigin: string) => Binding[]
  /** Bindings of the admin worker, besides its binding to the app's Durable Objects. */
  operatorBindings: (project: NamedProject) => Binding[]
  /**
   * The live worker's bindings to a product of the account. They are added only once the account is known to have the product
   * (`switch/products.ts`).
   */
  liveBindings: Binding[]
  /**
   * The bindings that replace `liveBindings` in a repository that is deployed by hand. By default they are the same
   * bindings.
   */
  liveBindingsByHand: Binding[]
  /**
   * Returns whether the capability's Durable Objects call the app's worker of a tier (production or preview) through
   * its entry point `Handlers`. Null when they never call the app. The live worker is bound to the app only for
   * capabilities that call the app.
   */
  callsApp: ((settings: z.output<Settings>, tier: AppTier) => boolean) | null
  /**
   * Compares the settings with an app's `app.json`. Returns one sentence for each setting that the app needs and that
   * is missing.
   */
  lacks: (settings: z.output<Settings>, manifest: object) => string[]
  /** Fields that the capability adds to `app.json`. */
  manifest: Record<string, z.ZodType>
  /**
   * The fields of `app.json` that an app may have only if it lists the capability in `uses`. By default these are the
   * fields of `manifest`.
   */
  impliedBy: string[]
  /** Returns the settings as variables of the live worker. */
  variables: (settings: z.output<Settings>, projectId: string) => Record<string, string>
  /** Variables of the app's worker and the live worker in a repository that is deployed by hand. */
  variablesByHand: Record<string, string>
  /** Returns the settings as variables of the upload worker. That worker keeps running while the capability is disabled. */
  uploadVariables: (settings: z.output<Settings>) => Record<string, string>
  /** True when the browser code of the capability is so large that a page loads it separately, and only when it is used. */
  isLoadedLater: boolean
  /** True when a build that may enable the capability always gets its whole guide in the prompt, and not only a one-line description. */
  isGuideAlwaysShown: boolean
}

type RequiredFields = 'key' | 'title' | 'about' | 'cost' | 'erasure' | 'settings'
type DeclaredCapability<Settings extends z.ZodObject> = Pick<Capability<Settings>, RequiredFields> &
  Partial<Omit<Capability<Settings>, RequiredFields>>

/** Declares a capability. Everything else that describes it is derived from this declaration. */
export function capability<Settings extends z.ZodObject>(declared: DeclaredCapability<Settings>): Capability {
  const whole: Capability<Settings> = {
    manifest: {},
    impliedBy: Object.keys(declared.manifest ?? {}),
    secrets: () => ({}),
    generated: {},
    byHand: '',
    dependsOn: () => [],
    bucket: null,
    scopes: [],
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
  // The functions of `whole` accept only the capability's own settings. Callers pass settings parsed with its schema, so this is safe.
  return whole.bucket === null ? whole : withBucket(whole)
}

/**
 * Adds the buckets and the bindings to them. The buckets come first, because the console shows the first resource.
 * Also adds the admin worker and the Durable Objects to which it is bound, unless the capability lists them: a move to
 * another account copies the objects through the admin worker.
 */
function withBucket<Settings extends z.ZodObject>(declared: Capability<Settings>): Capability<Settings> {
  const { key, resources, bindings, operatorBindings } = declared
  const nameOf = (project: NamedProject, tier: AppTier) => bucketName(project, key, tier)
  const boundTo = (name: string, project: NamedProject, tier: AppTier): Binding => ({
    type: 'r2_bucket',
    name,
    bucket_name: nameOf(project, tier),
  })
  const binding = key.toUpperCase()
  return {
    ...declared,
    resources: (project) => {
      const own = resources(project)
      const shared = [sharedObject(project), adminWorker(project)]
      return [
        { kind: 'bucket', name: nameOf(project, 'production') },
        { kind: 'bucket', name: nameOf(project, 'preview') },
        ...own,
        ...shared.filter(({ name }) => !own.some((one) => one.name === name)),
      ]
    },
    bindings: (project, tier) => [...bindings(project, tier), boundTo(binding, project, tier)],
    operatorBindings: (project) => [
      ...operatorBindings(project),
      boundTo(binding, project, 'production'),
      boundTo(`${binding}_PREVIEW`, project, 'preview'),
    ],
  }
}

/**
 * The namespace of the project's Durable Objects. All capabilities that keep data in Durable Objects share
 * it.
 */
export const sharedObject = (project: NamedProject): ResourceSpec => ({
  kind: 'object_namespace',
  name: liveName(project),
})

/**
 * The worker that receives this service's requests to an app on behalf of the app's operator. All capabilities with
 * such requests share the worker.
 */
export const adminWorker = (project: NamedProject): ResourceSpec => ({
  kind: 'worker',
  name: adminName(project),
})

/** The worker that takes uploads and serves assets. It has the same name as its bucket. */
export const uploadWorker = (project: NamedProject): ResourceSpec => ({
  kind: 'worker',
  name: uploadsName(project),
})

/**
 * The app's binding to the Durable Objects of its own tier. It is a service binding to the entry point of that tier
 * in the live worker. A binding to the namespace would let app code reach the objects of the other tier.
 */
export const liveBinding = (project: NamedProject, tier: AppTier): Binding => ({
  type: 'service',
  name: 'LIVE',
  service: liveName(project),
  entrypoint: tier === 'production' ? 'Production' : 'Preview',
})

const NAME_SEPARATOR = ': '

/** Joins code and message into one string, because the row has one column for both. `splitReason` separates them again. */
export const joinReason = (reason: { code: string; message: string }): string =>
  `${reason.code}${NAME_SEPARATOR}${reason.message}`

/** Splits a string that `joinReason` made. */
export function splitReason(reason: string): { code: string; message: string } {
  const at = reason.indexOf(NAME_SEPARATOR)
  return { code: reason.slice(0, at), message: reason.slice(at + NAME_SEPARATOR.length) }
}
