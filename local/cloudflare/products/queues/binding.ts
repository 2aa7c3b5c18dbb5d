import { findQueue } from './store.ts'
import { nativeBinding, workerService } from '../../workerd/native-binding.ts'
import { SHIMS_WORKER, type Shim } from '../../workerd/rpc.ts'
import { type BindingKind, refuseUpload, textField } from '../binding.ts'

/** A queue binding for sending. The queue must exist when the worker is uploaded, as at the provider. */
export const queueBinding: BindingKind = {
  types: ['queue'],
  usesShims: true,
  check: (binding, { store, accountId }) => {
    const name = textField(binding, 'queue_name')
    if (name === null) throw refuseUpload(`Binding ${binding.name} names no queue.`)
    if (findQueue(store, accountId, name) === null)
      throw refuseUpload(`Queue "${name}" does not exist.`, 11000)
  },
  // The queue is looked up by name at every send: sending to a deleted queue fails, and a recreated queue gets the message.
  env: (binding, { script }) => {
    const delay = binding['delivery_delay']
    const props = {
      accountId: script.accountId,
      queue: String(binding['queue_name']),
      ...(typeof delay === 'number' ? { delaySeconds: delay } : {}),
    }
    const json = JSON.stringify(props)
    return nativeBinding({
      queue: { name: workerService(SHIMS_WORKER), entrypoint: 'QueueProducer', props: { json } },
    })
  },
}

/**
 * Backs the runtime's own queue binding, so that `send` accepts, serializes and rejects values as in production. Only the storage
 * differs.
 */
export const queueShim: Shim = {
  className: 'QueueProducer',
  source: `
import { WorkerEntrypoint } from 'cloudflare:workers'
import { ask } from './ask.js'
export class QueueProducer extends WorkerEntrypoint {
  async fetch(request) {
    const { method, headers } = request
    const body = method === 'POST' ? await request.arrayBuffer() : undefined
    return ask(this, 'queues', new URL(request.url).pathname, { method, headers, body })
  }
}
`,
}
