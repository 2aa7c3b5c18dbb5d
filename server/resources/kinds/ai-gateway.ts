import { deleteGateway, gatewayExists } from '../../cloudflare/products/ai.ts'
import type { ResourceLifecycle } from './kind.ts'

/** An AI gateway, through which the app calls models. `version_id` of its row is the chosen model. */
export const aiGateway: ResourceLifecycle = {
  holdsData: false,
  find: async (cloud, row) => ((await gatewayExists(cloud, row.name)) ? 'ok' : 'missing'),
  make: (work, row) => work.platform.makers.aiGateway(work, row),
  remove: (cloud, row) => deleteGateway(cloud, row.name),
}
