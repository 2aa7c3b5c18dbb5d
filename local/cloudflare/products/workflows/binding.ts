import { findScript } from '../../store/scripts.ts'
import type { Workflow } from '../../store/workflows.ts'
import { type BindingKind, refuseUpload, textField } from '../binding.ts'

/** A binding to a workflow of this worker or of another one. A workflow that does not exist yet is not an error. */
export const workflowBinding: BindingKind = {
  types: ['workflow'],
  check: (binding, { store, accountId, scriptName }) => {
    for (const field of ['workflow_name', 'class_name'])
      if (textField(binding, field) === null) throw refuseUpload(`Binding ${binding.name} has no ${field}.`)
    const target = textField(binding, 'script_name') ?? scriptName
    if (target !== scriptName && findScript(store, accountId, target) === null)
      throw refuseUpload(`Binding ${binding.name}: script '${target}' not found.`, 10143)
  },
  joins: (binding) => {
    const script = textField(binding, 'script_name')
    return script === null ? [] : [{ script }]
  },
  // Returns null while the workflow does not exist; the worker then runs without this binding. A first deploy uploads
  // the worker before it creates the workflow.
  env: (binding, _worker, { workflows, workers }) => {
    const found = workflows.find(({ name }) => name === binding['workflow_name'])
    const runs = workers.some(({ script }) => script.name === found?.scriptName)
    return found === undefined || !runs ? null : workflowBindingOf(found)
  },
}

/** Names the workflow by its id in the runtime, so that a workflow recreated under an old name does not find the old instances. */
export function workflowBindingOf(workflow: Workflow) {
  const steps = workflow.settings.limits?.steps
  return {
    type: 'workflow' as const,
    name: workflow.id,
    worker: workflow.scriptName,
    exportName: workflow.className,
    ...(steps === undefined ? {} : { unsafeConfig: { limits: { steps } } }),
  }
}
