import type { Store } from '../../../world/store.ts'
import { listScripts, readActiveVersion } from '../../store/scripts.ts'
import type { Queue } from './store.ts'
import { ApiFailure } from '../../rest/failure.ts'
import type { Script } from '../../types.ts'

/** Returns the names of the workers with a binding to a queue. */
export function producersOfQueue(store: Store, queue: Queue): string[] {
  return listScripts(store, queue.accountId)
    .filter(({ id }) =>
      readActiveVersion(store, id)?.content.bindings.some(
        (binding) => binding.type === 'queue' && binding['queue_name'] === queue.name,
      ),
    )
    .map(({ name }) => name)
}

/** The provider's error for a consumer whose worker exports no `queue` handler. */
export function noQueueHandler(): ApiFailure {
  return new ApiFailure(400, 11001, 'The Worker has no queue handler, and a queue needs one to consume it.')
}

function isConsumer(store: Store, script: Script): boolean {
  return store.get('SELECT 1 FROM queue_consumers WHERE script_id = ?', script.id) !== undefined
}

/** Throws when the worker consumes a queue and its new version has no queue handler. */
export function checkQueueHandler(store: Store, script: Script | null, handlers: string[]): void {
  if (script !== null && !handlers.includes('queue') && isConsumer(store, script)) throw noQueueHandler()
}

/** Throws when the worker consumes a queue. Not called for a forced deletion, which leaves the messages in their queues. */
export function checkNoConsumer(store: Store, script: Script): void {
  if (isConsumer(store, script))
    throw new ApiFailure(400, 10064, 'script still in use as a consumer for a queue')
}
