import { ApiFailure } from './api/failure.ts'
import type { Binding, Namespace } from './types.ts'

const SUPPORTED = new Set([
  'plain_text',
  'json',
  'r2_bucket',
  'secret_text',
  'assets',
  'durable_object_namespace',
  'service',
  'version_metadata',
])

/** What a bound script must offer; null when there is none with that name. */
interface BoundScript {
  namespaces: Namespace[]
}

export interface BindingContext {
  scriptName: string
  /** Namespaces of the script itself, once its migrations are applied. */
  ownNamespaces: Namespace[]
  hasAssets: boolean
  findScript(name: string): BoundScript | null
  hasBucket(name: string): boolean
}

/**
 * The bindings a version gets: the uploaded ones, those kept or inherited from the version before, none twice.
 * Secrets are never part of an upload and stay unless the upload says otherwise.
 */
export function mergeBindings(uploaded: Binding[], previous: Binding[], keepTypes: string[]): Binding[] {
  const byName = new Map<string, Binding>()
  for (const binding of previous) if (keepTypes.includes(binding.type)) byName.set(binding.name, binding)
  const seen = new Set<string>()
  for (const binding of uploaded) {
    if (seen.has(binding.name)) throw new ApiFailure(400, 10021, `Two bindings are named ${binding.name}.`)
    seen.add(binding.name)
    byName.set(binding.name, binding.type === 'inherit' ? inherited(binding, previous) : binding)
  }
  return [...byName.values()]
}

function inherited(binding: Binding, previous: Binding[]): Binding {
  const oldName = typeof binding['old_name'] === 'string' ? binding['old_name'] : binding.name
  const found = previous.find((other) => other.name === oldName)
  if (found === undefined) throw new ApiFailure(400, 10021, `Nothing to inherit for binding ${binding.name}.`)
  return { ...found, name: binding.name }
}

/** Refuses bindings this cloud does not have and bindings to things that do not exist. */
export function checkBindings(bindings: Binding[], context: BindingContext): void {
  for (const binding of bindings) {
    if (!SUPPORTED.has(binding.type)) {
      throw new ApiFailure(
        400,
        10021,
        `Binding ${binding.name}: ${binding.type} is not available in the local cloud.`,
      )
    }
    if (binding.type === 'assets' && !context.hasAssets) {
      throw new ApiFailure(400, 10021, `Binding ${binding.name} needs assets, and this upload has none.`)
    }
    if (binding.type === 'service') checkService(binding, context)
    if (binding.type === 'r2_bucket') checkBucket(binding, context)
    if (binding.type === 'durable_object_namespace') checkNamespace(binding, context)
  }
}

function checkBucket(binding: Binding, context: BindingContext): void {
  const name = binding['bucket_name']
  if (typeof name === 'string' && context.hasBucket(name)) return
  throw new ApiFailure(
    400,
    10085,
    `R2 bucket '${String(name)}' not found. Please use a different name and try again.`,
  )
}

function checkService(binding: Binding, context: BindingContext): void {
  const target = binding['service']
  if (typeof target !== 'string')
    throw new ApiFailure(400, 10021, `Binding ${binding.name} names no service.`)
  if (target !== context.scriptName && context.findScript(target) === null) {
    throw new ApiFailure(
      400,
      10143,
      `Could not resolve service binding '${binding.name}'. Target script '${target}' not found.`,
    )
  }
}

function checkNamespace(binding: Binding, context: BindingContext): void {
  const target = binding['script_name'] ?? context.scriptName
  const className = binding['class_name']
  const script =
    target === context.scriptName ? { namespaces: context.ownNamespaces } : context.findScript(String(target))
  if (script === null) {
    throw new ApiFailure(400, 10143, `Binding ${binding.name}: script '${String(target)}' not found.`)
  }
  if (!script.namespaces.some((namespace) => namespace.className === className)) {
    throw new ApiFailure(
      400,
      10061,
      `Cannot create binding for class '${String(className)}' because it is not currently configured to implement Durable Objects. Did you forget to apply a migration?`,
    )
  }
}
