import { countMessages, deleteQueue, findQueue } from '../../cloudflare/products/queues.ts'
import type { ResourceLifecycle } from './kind.ts'

export const queueKind: ResourceLifecycle = {
  holdsData: true,
  find: async (cloud, row) => {
    const found = await findQueue(cloud, row.name)
    if (found === null) return 'missing'
    // A queue with the same name and another id has messages that the app did not send.
    return row.provider_id === null || row.provider_id === found.queue_id ? 'ok' : 'drifted'
  },
  make: (work, row) => work.platform.makers.queue(work, row),
  remove: (cloud, row) => deleteQueue(cloud, row.name),
  measure: async (cloud, row) => {
    const found = await findQueue(cloud, row.name)
    if (found === null) return null
    const count = await countMessages(cloud, found)
    return count === 1 ? '1 message' : `${count} messages`
  },
}
