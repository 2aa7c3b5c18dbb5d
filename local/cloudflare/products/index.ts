import type { Store } from '../../world/store.ts'
import type { Telemetry } from '../observability/telemetry/telemetry.ts'
import type { RpcHandlers, Shim } from '../workerd/rpc.ts'
import type { Binding } from '../types.ts'
import type { AiBackend } from './ai/backend.ts'
import { aiBinding, aiShim } from './ai/binding.ts'
import { handleAi } from './ai/rpc.ts'
import { analyticsEngineBinding, analyticsEngineShim } from './analytics-engine/binding.ts'
import { handleDataPoint } from './analytics-engine/rpc.ts'
import type { BindingKind, BindingTarget } from './binding.ts'
import { browserBinding, browserShim } from './browser/binding.ts'
import type { BrowserRenderer } from './browser/rendering.ts'
import { handleBrowser } from './browser/rpc.ts'
import { d1Binding } from './d1/binding.ts'
import { durableObjectBinding } from './durable-objects/binding.ts'
import { emailBinding, emailShim } from './email/binding.ts'
import type { RelayServer } from './email/relay.ts'
import { handleEmail } from './email/rpc.ts'
import { kvBinding } from './kv/binding.ts'
import { queueBinding, queueShim } from './queues/binding.ts'
import { r2Binding } from './r2/binding.ts'
import { findResource, type Resource } from '../store/resources.ts'
import { streamBinding, streamShim } from './stream/binding.ts'
import { handleStream } from './stream/rpc.ts'
import type { Videos } from './stream/videos.ts'
import {
  assetsBinding,
  imagesBinding,
  jsonBinding,
  plainText,
  rateLimitBinding,
  secretKey,
  secretText,
  serviceBinding,
  versionMetadata,
} from './worker-bindings.ts'
import { workflowBinding } from './workflows/binding.ts'

/** To add a product, add its binding to this list and its routes to `../routes.ts`. */
const bindingKinds: BindingKind[] = [
  plainText,
  jsonBinding,
  secretText,
  secretKey,
  assetsBinding,
  durableObjectBinding,
  serviceBinding,
  r2Binding,
  kvBinding,
  d1Binding,
  rateLimitBinding,
  imagesBinding,
  queueBinding,
  analyticsEngineBinding,
  aiBinding,
  streamBinding,
  browserBinding,
  emailBinding,
  workflowBinding,
  versionMetadata,
]

/** Classes that simulate bindings which the runtime lacks. */
export const shims: Shim[] = [queueShim, analyticsEngineShim, aiShim, streamShim, browserShim, emailShim]

interface ProductDeps {
  store: Store
  telemetry: Telemetry
  ai: AiBackend
  videos: Videos
  rendering: BrowserRenderer
  now(): number
  timeScale: number
  relay: RelayServer | null
}

/** Handlers for the calls that shims make to this process, by product. The handlers for queues are added in `runtime/background.ts`. */
export function productHandlers(products: ProductDeps): RpcHandlers {
  const { store, telemetry, ai, videos, rendering, now, timeScale, relay } = products
  return {
    'analytics-engine': (call) => handleDataPoint(telemetry, call),
    ai: (call) => handleAi({ store, backend: ai, now }, call),
    stream: (call) => handleStream(videos, call),
    browser: (call) => handleBrowser(rendering, call),
    email: (call) => handleEmail({ store, now, timeScale, relay }, call),
  }
}

const byType = new Map(bindingKinds.flatMap((kind) => kind.types.map((type) => [type, kind] as const)))

/** Returns the kind of a binding type; null for a type that the local cloud does not have. */
export function bindingKind(type: string): BindingKind | null {
  return byType.get(type) ?? null
}

/** Binding types that an upload keeps when it does not list them. */
export const secretTypes = bindingKinds.filter((kind) => kind.isSecret === true).flatMap((kind) => kind.types)

/** Returns the other workers and the resources that bindings use, so that all of them can run in one process. */
export function bindingTargets(bindings: Binding[]): BindingTarget[] {
  return bindings.flatMap((binding) => bindingKind(binding.type)?.joins?.(binding) ?? [])
}

/** Returns the names of the other scripts that a worker's bindings use. */
export function reachedScripts(scriptName: string, bindings: Binding[]): string[] {
  const names = bindingTargets(bindings).flatMap((reached) => ('script' in reached ? [reached.script] : []))
  return [...new Set(names)].filter((name) => name !== scriptName)
}

/** Returns the existing resources among `reached`. Leaves out those that were deleted. */
export function reachedResources(store: Store, accountId: string, reached: BindingTarget[]): Resource[] {
  const found = new Map<string, Resource>()
  for (const one of reached) {
    const resource = 'kind' in one ? findResource(store, accountId, one.kind, one.by) : null
    if (resource !== null) found.set(resource.id, resource)
  }
  return [...found.values()]
}
