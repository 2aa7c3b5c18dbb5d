import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type { Binding } from '../cloudflare/products/upload.ts'
import type { AppTier, NamedProject } from '../resource-names.ts'
import type { Capability, ResourceSpec } from '../capability-declaration/capability.ts'
import * as declared from './declarations.ts'

export type { DeclaredTask } from '../capabilities/ai/declaration.ts'
export type { DeclaredProvider } from '../capabilities/connect/declaration.ts'
export type { DeclaredEvent } from '../capabilities/events/declaration.ts'
export type { DeclaredFlow } from '../capabilities/flow/declaration.ts'
export type { DeclaredHook } from '../capabilities/hook/declaration.ts'
export type { DeclaredRoom } from '../capabilities/live/declaration.ts'
export type { DeclaredMeter } from '../capabilities/meter/declaration.ts'
export { ENDPOINT_SECRETS } from '../capabilities/pay/declaration.ts'
export { type DeclaredQueue, mostRetries, QueueSettings } from '../capabilities/queue/declaration.ts'

const CAPABILITY_CATALOG: Record<CapabilityKey, Capability> = declared

export const isCapabilityKey = (key: string): key is CapabilityKey =>
  CAPABILITY_KEYS.some((one) => one === key)

export const capabilityOf = (key: CapabilityKey): Capability => CAPABILITY_CATALOG[key]

export const capabilitiesOf = (keys: ReadonlySet<string>): Capability[] =>
  CAPABILITY_KEYS.filter((key) => keys.has(key)).map(capabilityOf)

/** Returns the resources that these capabilities need in the account. */
export const resourcesOf = (
  keys: Iterable<string>,
  project: NamedProject,
): { key: string; resources: ResourceSpec[] }[] =>
  capabilitiesOf(new Set(keys)).map(({ key, resources }) => ({ key, resources: resources(project) }))

/** Returns the bindings of the admin worker, besides its binding to the app's Durable Objects. */
export const adminBindings = (keys: ReadonlySet<string>, project: NamedProject): Binding[] =>
  capabilitiesOf(keys).flatMap((one) => one.operatorBindings(project))

/**
 * Returns the given capabilities whose Durable Objects may call the app's worker (`callsApp`), in the order of
 * `CAPABILITY_KEYS`.
 */
export const capabilitiesCallingApp = (keys: ReadonlySet<string>): CapabilityKey[] =>
  capabilitiesOf(keys)
    .filter(({ callsApp }) => callsApp !== null)
    .map(({ key }) => key)

/** Returns the bindings of the app's worker. Capabilities may share a binding, which is returned once. */
export function capabilityBindings(
  enabled: ReadonlySet<string>,
  project: NamedProject,
  tier: AppTier,
): Binding[] {
  const given = capabilitiesOf(enabled).flatMap((one) => one.bindings(project, tier))
  return [...new Map(given.map((binding) => [binding.name, binding])).values()]
}
