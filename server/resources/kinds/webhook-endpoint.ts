import { deleteStripeEndpoint, inspectEndpoint } from '../../capability-state/pay-endpoint-state.ts'
import { listOtherProviderIds } from '../registry.ts'
import type { ResourceLifecycle } from './kind.ts'

export const webhookEndpoint: ResourceLifecycle = {
  holdsData: false,
  find: (cloud, row, of) => inspectEndpoint({ ...of, cloud }, row),
  make: (work, row) => work.platform.makers.webhookEndpoint(work, row),
  remove: async (_cloud, row, { platform, project }) => {
    // A project that moves to another cloud account has a row for its endpoint in each of the two accounts. The endpoint
    // of the other row is kept.
    const kept = await listOtherProviderIds(platform.db, project, row)
    await deleteStripeEndpoint({ platform, project }, row, kept)
  },
}
