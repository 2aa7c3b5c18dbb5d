import { fileURLToPath } from 'node:url'
import type { RuntimeBinding } from '../../products/binding.ts'
import { NATIVE_PLUGIN, NATIVE_TYPE } from './native-plugin.ts'

/** A worker of the process or one of its classes, with the props passed to it. */
interface Designator {
  name: string
  entrypoint?: string
  props?: { json: string }
}

/** The workerd bindings that are used here. */
type NativeBinding =
  | { queue: Designator }
  | { service: Designator }
  | { durableObjectNamespace: { className: string; serviceName: string } }

const plugin = {
  package: fileURLToPath(new URL('native-plugin.ts', import.meta.url)),
  name: NATIVE_PLUGIN,
}

/** Returns a binding in workerd's own configuration format. */
export function nativeBinding(binding: NativeBinding): RuntimeBinding {
  return { type: NATIVE_TYPE, binding, dev: { plugin } }
}

/** Returns the name of Miniflare's service for a worker, without the asset router in front of it. */
export function workerService(name: string): string {
  return `core:user:${name}`
}
