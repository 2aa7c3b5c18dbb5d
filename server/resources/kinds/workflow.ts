import { deleteWorkflow, findWorkflow } from '../../cloudflare/products/workflows.ts'
import { FLOW_CLASS, scriptsOfWorkflow } from '../../resource-names.ts'
import type { ResourceLifecycle } from './kind.ts'

export const workflowKind: ResourceLifecycle = {
  holdsData: true,
  find: async (cloud, row) => {
    const found = await findWorkflow(cloud, row.name)
    if (found === null) return 'missing'
    const isOurs = scriptsOfWorkflow(row.name).includes(found.script_name)
    // A workflow with the same name and another id does not have the runs of the app.
    const isSame = row.provider_id === null || row.provider_id === found.id
    return isSame && isOurs && found.class_name === FLOW_CLASS ? 'ok' : 'drifted'
  },
  make: (work, row) => work.platform.makers.workflow(work, row),
  remove: (cloud, row) => deleteWorkflow(cloud, row.name),
}
