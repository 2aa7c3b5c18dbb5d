import type { Store } from '../../../world/store.ts'
import { listScripts, readActiveVersion } from '../../scripts/scripts.ts'
import type { Queue } from './store.ts'

/** Names of the workers that send to a queue. */
export function bindersOfQueue(store: Store, queue: Queue): string[] {
  return listScripts(store, queue.accountId)
    .filter(({ id }) =>
      readActiveVersion(store, id)?.content.bindings.some(
        (binding) => binding.type === 'queue' && binding['queue_name'] === queue.name,
      ),
    )
    .map(({ name }) => name)
}
