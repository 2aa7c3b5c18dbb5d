import type { PreparedResult } from './calls.ts'

/**
 * Runs `send`, a call to a Durable Object. When the result shows that the object lacks the release's manifest, runs `prepare`, which
 * stores the manifest there, and then `send` a second time. Returns the first result when `prepare` returns false: then there is no
 * manifest to store.
 */
export async function sendPrepared<T>(
  send: () => Promise<T>,
  isUnready: (result: T) => boolean,
  prepare: () => Promise<unknown>,
): Promise<T> {
  const first = await send()
  return isUnready(first) && (await prepare()) !== false ? await send() : first
}

export const isUnprepared = (result: PreparedResult<unknown>): boolean => !result.ok && 'unprepared' in result
