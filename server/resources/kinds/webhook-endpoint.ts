import type { Kind } from './kind.ts'

export const webhookEndpoint: Kind = {
  holdsData: false,
  find: (cloud, row, of) => of.platform.capabilities.endpoints.find({ ...of, cloud }, row),
  make: (work, row) => work.platform.capabilities.endpoints.make(work, row),
  remove: (_cloud, row, of) => of.platform.capabilities.endpoints.remove(of, row),
}
