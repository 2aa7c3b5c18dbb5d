import { manifest, manifestHash } from '../../manifest.gen.ts'
import type { PreparedResult } from './calls.ts'
import { isUnprepared, sendPrepared } from './send-prepared.ts'
import { ApiError, fromFailure } from '../errors.ts'
import type { Manifest } from '../manifest.ts'

/**
 * Runs `send`. When the Durable Object lacks this release's manifest, sends the manifest and repeats `send`. Throws the `ApiError` that is
 * returned, and `unavailable` with the message `unready` when the object still lacks the manifest.
 */
export async function callPrepared<T>(
  live: { prepare(hash: string, manifest: Manifest): Promise<void> },
  send: () => Promise<PreparedResult<T>>,
  unready: string,
): Promise<T> {
  const answer = await sendPrepared(send, isUnprepared, () => live.prepare(manifestHash, manifest))
  if (answer.ok) return answer.value
  throw 'error' in answer ? fromFailure(answer.error) : new ApiError('unavailable', unready)
}
