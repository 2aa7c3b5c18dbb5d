import type { Store } from '../../world/store.ts'
import { findResource, type Resource } from './storage/resources.ts'
import type { Binding } from '../types.ts'
import { ai } from './ai/binding.ts'
import { analyticsEngine } from './analytics-engine/binding.ts'
import { assets } from './plain/assets.ts'
import { browser } from './browser/binding.ts'
import { d1 } from './d1/binding.ts'
import { durableObject } from './durable-objects/binding.ts'
import { images } from './plain/images.ts'
import { kvNamespace } from './kv/binding.ts'
import { queue } from './queues/binding.ts'
import { r2Bucket } from './r2/binding.ts'
import { ratelimit } from './plain/ratelimit.ts'
import { secretKey, secretText } from './plain/secrets.ts'
import { service } from './plain/service.ts'
import type { BindingKind, Reached } from './binding.ts'
import { stream } from './stream/binding.ts'
import { json, plainText } from './plain/text.ts'
import { versionMetadata } from './plain/version-metadata.ts'
import { workflow } from './workflows/binding.ts'

/** Every binding this cloud has. A new one is a file beside this and a line here. */
const kinds: BindingKind[] = [
  plainText,
  json,
  secretText,
  secretKey,
  assets,
  durableObject,
  service,
  r2Bucket,
  kvNamespace,
  d1,
  ratelimit,
  images,
  queue,
  analyticsEngine,
  ai,
  stream,
  browser,
  workflow,
  versionMetadata,
]

const byType = new Map(kinds.flatMap((kind) => kind.types.map((type) => [type, kind] as const)))

/** The kind of a binding, or null when this cloud has none. */
export function bindingKind(type: string): BindingKind | null {
  return byType.get(type) ?? null
}

/** Types an upload never has to name again. */
export const secretTypes = kinds.filter((kind) => kind.isSecret === true).flatMap((kind) => kind.types)

/** What a worker's bindings reach outside it. */
export function reachedBy(bindings: Binding[]): Reached[] {
  return bindings.flatMap((binding) => bindingKind(binding.type)?.joins?.(binding) ?? [])
}

/** Names of the other scripts a worker's bindings reach. */
export function reachedScripts(scriptName: string, bindings: Binding[]): string[] {
  const names = reachedBy(bindings).flatMap((reached) => ('script' in reached ? [reached.script] : []))
  return [...new Set(names)].filter((name) => name !== scriptName)
}

/** The resources among what is reached, as far as there are any. */
export function reachedResources(store: Store, accountId: string, reached: Reached[]): Resource[] {
  const found = new Map<string, Resource>()
  for (const one of reached) {
    const resource = 'kind' in one ? findResource(store, accountId, one.kind, one.by) : null
    if (resource !== null) found.set(resource.id, resource)
  }
  return [...found.values()]
}
