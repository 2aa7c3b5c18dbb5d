import { fileURLToPath } from 'node:url'
import type { WorkerOptions } from 'miniflare'
import { NATIVE_PLUGIN, NATIVE_TYPE } from './native-plugin.ts'

/** Only types of Miniflare are imported, because loading it takes half a second. */
export type RuntimeBinding = NonNullable<WorkerOptions['config']['env']>[string]

interface ServiceDesignator {
  name: string
  entrypoint?: string
  props?: { json: string }
}

type NativeBinding =
  | { queue: ServiceDesignator }
  | { service: ServiceDesignator }
  | { durableObjectNamespace: { className: string; serviceName: string } }

const nativePlugin = {
  package: fileURLToPath(new URL('native-plugin.ts', import.meta.url)),
  name: NATIVE_PLUGIN,
}

/** Returns a binding in workerd's own configuration format, which Miniflare passes through unchanged. */
export function nativeBinding(binding: NativeBinding): RuntimeBinding {
  return { type: NATIVE_TYPE, binding, dev: { plugin: nativePlugin } }
}

/** Returns Miniflare's name for the service of a worker without its asset router. */
export function workerService(name: string): string {
  return `core:user:${name}`
}
