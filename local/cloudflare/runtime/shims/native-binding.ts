import { fileURLToPath } from 'node:url'
import type { RuntimeBinding } from '../../products/binding.ts'
import { NATIVE_PLUGIN, NATIVE_TYPE } from './native-plugin.ts'

/** A service inside the process: a whole worker or one of its classes, with what that class is told. */
interface Designator {
  name: string
  entrypoint?: string
  props?: { json: string }
}

/** The bindings of workerd's own configuration that are needed here. */
type NativeBinding =
  | { queue: Designator }
  | { service: Designator }
  | { durableObjectNamespace: { className: string; serviceName: string } }

const plugin = {
  package: fileURLToPath(new URL('native-plugin.ts', import.meta.url)),
  name: NATIVE_PLUGIN,
}

/** A binding in workerd's own words. */
export function nativeBinding(binding: NativeBinding): RuntimeBinding {
  return { type: NATIVE_TYPE, binding, dev: { plugin } }
}

/** The service Miniflare makes of a worker, past the asset router it puts in front of some. */
export function workerService(name: string): string {
  return `core:user:${name}`
}
