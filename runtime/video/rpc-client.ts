import { requireLive } from '../kernel/env.ts'
import { valueIn } from '../kernel/errors.ts'
import type { VideoBinding, VideoCalls } from './types.ts'

/** Throws the `ApiError` that the live worker returned. */
export async function callVideo<Kind extends keyof VideoCalls>(
  kind: Kind,
  ask: VideoCalls[Kind]['ask'],
): Promise<VideoCalls[Kind]['answer']> {
  const live: unknown = requireLive('video')
  return valueIn(await (live as VideoBinding).videos(kind, ask))
}
