import { findQueue } from './store.ts'
import { nativeBinding, workerService } from '../../runtime/shims/native-binding.ts'
import { SHIMS_WORKER } from '../../runtime/shims/shim.ts'
import { type BindingKind, refuseUpload, textField } from '../binding.ts'

export const queue: BindingKind = {
  types: ['queue'],
  usesShims: true,
  check: (binding, { store, accountId }) => {
    const name = textField(binding, 'queue_name')
    if (name === null) throw refuseUpload(`Binding ${binding.name} names no queue.`)
    if (findQueue(store, accountId, name) === null)
      throw refuseUpload(`Queue "${name}" does not exist.`, 11000)
  },
  // Found by its name at every send: a queue that was deleted refuses, one made again takes over.
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
