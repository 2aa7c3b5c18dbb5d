import type * as z from 'zod'
import type { Binding } from '../cloudflare/upload.ts'
import type { ResourceKey } from '../resources/registry.ts'

/** The spec's twenty-one, in its order. */
export const CAPABILITY_KEYS = [
  'auth',
  'team',
  'data',
  'files',
  'assets',
  'email',
  'ai',
  'pay',
  'live',
  'call',
  'schedule',
  'queue',
  'flow',
  'connect',
  'hook',
  'render',
  'video',
  'push',
  'events',
  'guard',
  'meter',
] as const

export type CapabilityKey = (typeof CAPABILITY_KEYS)[number]

/** Something in the connected account that a capability needs; its name is made from the slug, never chosen. */
export interface ResourceSpec {
  kind: ResourceKey['kind']
  name: string
}

/** A value an operator gives and nobody reads back. */
export interface SecretSpec {
  schema: z.ZodType<string>
  title: string
  description: string
  /** Its name in the worker that uses it. */
  binding: string
}

export type Tier = 'production' | 'preview'
type Named = {
  slug: string
  /** What the upload worker and its bucket are called: the name of the first upload stays through renames. */
  uploads?: string | undefined
}

export interface Capability<Settings extends z.ZodObject = z.ZodObject> {
  key: CapabilityKey
  title: string
  /** What it costs in the connected account, shown before it is switched on. */
  cost: string
  /** False: known with its settings and reads, but it cannot be switched on in this version. */
  isBuilt: boolean
  /** Every field carries a title and a description: forms are drawn from it. */
  settings: Settings
  /** By the name under which they are given: `stripeKey` comes back as `hasStripeKey`. */
  secrets: (settings: z.output<Settings>) => Record<string, SecretSpec>
  /** Capabilities switched on with it. */
  dependsOn: (settings: z.output<Settings>) => CapabilityKey[]
  /** The first one is what a read of the capability shows. */
  resources: (project: Named) => ResourceSpec[]
  /** What the app's worker of a tier is given. No secret: generated code runs there. */
  bindings: (project: Named, tier: Tier) => Binding[]
  /** What the operator's worker is given beside the way to the objects. */
  operatorBindings: (project: Named) => Binding[]
  /** Settings as the worker that holds the objects reads them. */
  variables: (settings: z.output<Settings>) => Record<string, string>
}

type Required = 'key' | 'title' | 'cost' | 'settings'
type Declared<Settings extends z.ZodObject> = Pick<Capability<Settings>, Required> &
  Partial<Omit<Capability<Settings>, Required>>

/** Declares one capability; this value is the only place of the service that describes it. */
export function capability<Settings extends z.ZodObject>(declared: Declared<Settings>): Capability {
  const whole: Capability<Settings> = {
    isBuilt: true,
    secrets: () => ({}),
    dependsOn: () => [],
    resources: () => [],
    bindings: () => [],
    operatorBindings: () => [],
    variables: () => ({}),
    ...declared,
  }
  // The functions are only ever called with what this schema has parsed.
  return whole
}

/** Declares a capability that a later version has: everything that can be known of it before. */
export const planned = <Settings extends z.ZodObject>(declared: Declared<Settings>): Capability =>
  capability({ ...declared, isBuilt: false })

/** The project's one object class lives in this worker; capabilities with an object part share it. */
export const sharedObject = (project: Named): ResourceSpec => ({
  kind: 'object_namespace',
  name: `${project.slug}-live`,
})

/** The worker that answers the operator; capabilities with an operator read share it. */
export const operatorDoor = (project: Named): ResourceSpec => ({
  kind: 'worker',
  name: `${project.slug}-admin`,
})

/** The worker that takes uploads and gives assets; it shares its name with its bucket. */
export const uploadDoor = (project: Named): ResourceSpec => ({
  kind: 'worker',
  name: project.uploads ?? `${project.slug}-assets`,
})

/** The app's way to its own tier of the objects; it holds no namespace, so it cannot name another tier's. */
export const liveBinding = (project: Named, tier: Tier): Binding => ({
  type: 'service',
  name: 'LIVE',
  service: sharedObject(project).name,
  entrypoint: tier === 'production' ? 'Production' : 'Preview',
})

const SEPARATOR = ': '

/** Why provisioning failed, as it is kept in one column: the code clients branch on, then words for people. */
export const joinReason = (reason: { code: string; message: string }): string =>
  `${reason.code}${SEPARATOR}${reason.message}`

/** The two parts of a kept reason. */
export function splitReason(reason: string): { code: string; message: string } {
  const at = reason.indexOf(SEPARATOR)
  return { code: reason.slice(0, at), message: reason.slice(at + SEPARATOR.length) }
}
