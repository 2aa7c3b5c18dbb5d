import { type BindingContext, refuseUpload } from '../products/binding.ts'
import { bindingKind } from '../products/index.ts'
import type { Binding } from '../types.ts'

/**
 * Returns the bindings of a new version: the uploaded bindings, and the previous version's bindings whose types are in `keepTypes`. A
 * binding of type `inherit` is copied from the previous version. Throws on duplicate names.
 */
export function mergeBindings(uploaded: Binding[], previous: Binding[], keepTypes: string[]): Binding[] {
  const byName = new Map<string, Binding>()
  for (const binding of previous) if (keepTypes.includes(binding.type)) byName.set(binding.name, binding)
  const seen = new Set<string>()
  for (const binding of uploaded) {
    if (seen.has(binding.name)) throw refuseUpload(`Two bindings are named ${binding.name}.`)
    seen.add(binding.name)
    byName.set(binding.name, binding.type === 'inherit' ? inheritBinding(binding, previous) : binding)
  }
  return [...byName.values()]
}

function inheritBinding(binding: Binding, previous: Binding[]): Binding {
  const oldName = typeof binding['old_name'] === 'string' ? binding['old_name'] : binding.name
  const found = previous.find((other) => other.name === oldName)
  if (found === undefined) throw refuseUpload(`Nothing to inherit for binding ${binding.name}.`)
  return { ...found, name: binding.name }
}

/**
 * Throws when the local cloud does not support the type of a binding, or when the resource it names does not
 * exist.
 */
export function checkBindings(bindings: Binding[], context: BindingContext): void {
  for (const binding of bindings) {
    const kind = bindingKind(binding.type)
    if (kind === null)
      throw refuseUpload(`Binding ${binding.name}: ${binding.type} is not available in the local cloud.`)
    kind.check?.(binding, context)
  }
}
