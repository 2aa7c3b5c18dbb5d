import { findScript, listNamespaces } from '../../store/scripts.ts'
import type { Binding } from '../../types.ts'
import { type BindingContext, type BindingKind, refuseUpload, textField } from '../binding.ts'

/**
 * A binding to a class of this worker or of another one. The class must be in a migration first, as at the provider. Without its class the
 * worker still runs, and uses of the binding fail.
 */
export const durableObjectBinding: BindingKind = {
  types: ['durable_object_namespace'],
  check: (binding, context) => {
    const className = binding['class_name']
    const namespaces = namespacesOf(binding, context)
    if (namespaces.some((namespace) => namespace.className === className)) return
    throw refuseUpload(
      `Cannot create binding for class '${String(className)}' because it is not currently configured to implement Durable Objects. Did you forget to apply a migration?`,
      10061,
    )
  },
  joins: (binding) => {
    const script = textField(binding, 'script_name')
    return script === null ? [] : [{ script }]
  },
  env: (binding, worker, plan) => {
    const target = textField(binding, 'script_name') ?? worker.script.name
    const exportName = String(binding['class_name'])
    const owner = plan.workers.find(({ script }) => script.name === target)
    if (owner?.namespaces.some(({ className }) => className === exportName) !== true) return null
    return { type: 'durable-object', worker: target, exportName }
  },
}

function namespacesOf(binding: Binding, { store, accountId, scriptName, ownNamespaces }: BindingContext) {
  const target = textField(binding, 'script_name') ?? scriptName
  if (target === scriptName) return ownNamespaces
  const script = findScript(store, accountId, target)
  if (script === null) throw refuseUpload(`Binding ${binding.name}: script '${target}' not found.`, 10143)
  return listNamespaces(store, script.id)
}
