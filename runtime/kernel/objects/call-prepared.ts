import { manifest, manifestHash } from '../../manifest.gen.ts'
import type { PreparedResult } from './calls.ts'
import { ApiError, fromFailure } from '../errors.ts'
import type { Manifest } from '../manifest.ts'

export async function callPrepared<T>(
  live: { prepare(hash: string, manifest: Manifest): Promise<void> },
  send: () => Promise<PreparedResult<T>>,
  unready: string,
): Promise<T> {
  let answer = await send()
  if (!answer.ok && 'unprepared' in answer) {
    await live.prepare(manifestHash, manifest)
    answer = await send()
  }
  if (answer.ok) return answer.value
  throw 'error' in answer ? fromFailure(answer.error) : new ApiError('unavailable', unready)
}
