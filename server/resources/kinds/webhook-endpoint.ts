import { parts } from '../parts.ts'
import type { Kind } from './kind.ts'

export const webhookEndpoint: Kind = {
  holdsData: false,
  find: (cloud, row, of) => parts().endpoints.find({ ...of, cloud }, row),
  make: (work, row) => parts().endpoints.make(work, row),
  remove: (_cloud, row, of) => parts().endpoints.remove(of, row),
}
