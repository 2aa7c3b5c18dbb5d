import { rpcMethod, type LiveContext } from '../kernel/objects/rpc-method.ts'
import type { AsyncHandlersOf } from '../kernel/objects/calls.ts'
import { requireShortText } from '../kernel/fields.ts'
import { heldError } from '../kernel/objects/hold.ts'
import { directoryOf } from '../kernel/objects/objects.ts'
import { requireJobKey } from './job-key.ts'
import type { QueueCalls } from './types.ts'
import { sha256Hex } from '../kernel/secrets.ts'
import { wholeNumberVariable } from '../kernel/variable.ts'

const ID_CHARS_MAX = 100
const RETRIES_DEFAULT = 3

export const handleQueue = rpcMethod<LiveContext, QueueCalls>(queueHandlers)

function queueHandlers({ objects, tier, env }: LiveContext): AsyncHandlersOf<QueueCalls> {
  const directory = directoryOf(objects, tier)
  return {
    claim: async ({ id, key }) => {
      const job = requireShortText('id', id, ID_CHARS_MAX)
      const claim = await directory.jobKeys('claim', { id: job, key: key === null ? null : hashedKey(key) })
      if (claim === null) throw heldError()
      return claim
    },
    sent: async ({ key }) => {
      await directory.jobKeys('sent', { key: hashedKey(key) })
      return null
    },
    release: async ({ key }) => {
      await directory.jobKeys('release', { key: hashedKey(key) })
      return null
    },
    settings: async () => {
      const range = { absent: RETRIES_DEFAULT, least: 0, most: Infinity }
      return { maxRetries: wholeNumberVariable(env, 'QUEUE_MAX_RETRIES', range) }
    },
  }
}

/** Returns a hash of the key, because the app may put anything into a key, even personal data. */
const hashedKey = (key: unknown): string => sha256Hex(requireJobKey(key))
