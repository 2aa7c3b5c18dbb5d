import { requireBucket, requireLive } from '../kernel/worker/env.ts'
import { unwrapResult } from '../kernel/errors.ts'
import type { FilesCalls, OwnFilesCalls } from './types.ts'

/** Calls the Durable Object that lists the files, through the live worker. Throws the `ApiError` that the live worker returns. */
export async function callFiles<Kind extends keyof FilesCalls>(
  kind: Kind,
  ask: FilesCalls[Kind]['ask'],
): Promise<FilesCalls[Kind]['answer']> {
  const live = requireLive('files')
  return unwrapResult(await live.files(kind, ask))
}

/** Like `callFiles`, with the rights of the person whose session this is. */
export async function callOwnFiles<Kind extends keyof OwnFilesCalls>(
  session: string,
  kind: Kind,
  ask: OwnFilesCalls[Kind]['ask'],
): Promise<OwnFilesCalls[Kind]['answer']> {
  const live = requireLive('files')
  return unwrapResult(await live.ownFiles(session, kind, ask))
}

export const fileBucket = () => requireBucket('files')
