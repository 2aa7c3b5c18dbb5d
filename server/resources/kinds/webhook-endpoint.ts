import { hooks } from '../hooks.ts'
import type { Kind } from './kind.ts'

export const webhookEndpoint: Kind = {
  holdsData: false,
  find: (cloud, row, of) => hooks().endpoints.find({ ...of, cloud }, row),
  make: (work, row) => hooks().endpoints.make(work, row),
  remove: (_cloud, row, of) => hooks().endpoints.remove(of, row),
}
