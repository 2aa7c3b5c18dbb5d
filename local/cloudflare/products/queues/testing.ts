import { createAccount } from '../../accounts/accounts.ts'
import { unboundGroup } from '../../scripts/groups.ts'
import { insertScript } from '../../store/scripts.ts'
import { openStore } from '../../../schema.ts'
import { type Consumer, type ConsumerSettings, insertQueue, putConsumer, type Queue } from './store.ts'

/** Opens a store in memory with the queues `jobs` and `dead` of an account, and with a worker `shop`. */
export function openQueues(at: number) {
  const store = openStore(':memory:')
  const { id: accountId } = createAccount(store, { name: 'Acme', plan: 'paid', at })
  const settings = { accountId, deliveryDelaySeconds: 0, isPaused: false, retentionSeconds: 3600 }
  const queue = insertQueue(store, { ...settings, name: 'jobs' }, at)
  const dead = insertQueue(store, { ...settings, name: 'dead' }, at)
  const groupId = unboundGroup(store, accountId)
  const { id: scriptId } = insertScript(store, { accountId, groupId, name: 'shop', at })
  /** Sets the consumer of `jobs`, whose dead letter queue is `dead`. */
  const setConsumer = (type: Consumer['type'], change: ConsumerSettings): Consumer => {
    const consumer: Consumer = {
      id: 'consumer',
      queueId: queue.id,
      type,
      scriptId: type === 'worker' ? scriptId : null,
      deadLetterQueue: 'dead',
      settings: change,
      createdAt: at,
    }
    putConsumer(store, consumer)
    return consumer
  }
  return { store, accountId, queue, dead, setConsumer }
}

export const textMessage = (text: string) => ({ format: 'text' as const, body: Buffer.from(text) })

/** Returns the bodies of all messages in a queue, oldest first, each with its number of failed deliveries. */
export const storedTexts = ({ store }: Pick<ReturnType<typeof openQueues>, 'store'>, queue: Queue) =>
  store
    .all<{ body: Uint8Array; failures: number }>(
      'SELECT body, failures FROM queue_messages WHERE queue_id = ? ORDER BY seq',
      queue.id,
    )
    .map(({ body, failures }) => [Buffer.from(body).toString(), failures])
