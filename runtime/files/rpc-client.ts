import { env } from 'cloudflare:workers'
import type { FileBucket } from '../bytes/bucket.ts'
import { requireLive } from '../kernel/env.ts'
import { ApiError, valueIn } from '../kernel/errors.ts'
import type { FilesCalls, OwnFilesCalls } from './types.ts'

/** Calls the object with the list of files. Throws the `ApiError` that it returns. */
export async function callFiles<Kind extends keyof FilesCalls>(
  kind: Kind,
  ask: FilesCalls[Kind]['ask'],
): Promise<FilesCalls[Kind]['answer']> {
  const live = requireLive('files')
  return valueIn(await live.files(kind, ask))
}

/** Calls as the person of a session. Throws the `ApiError` that the object returns. */
export async function callOwnFiles<Kind extends keyof OwnFilesCalls>(
  session: string,
  kind: Kind,
  ask: OwnFilesCalls[Kind]['ask'],
): Promise<OwnFilesCalls[Kind]['answer']> {
  const live = requireLive('files')
  return valueIn(await live.ownFiles(session, kind, ask))
}

/** Returns the bucket of this tier; a worker has no binding to the other tier's bucket. Throws `not_enabled` while the capability is off. */
export function fileBucket(): FileBucket {
  const bucket = env['FILES'] as FileBucket | undefined
  if (bucket === undefined)
    throw new ApiError(
      'not_enabled',
      'The capability files is off. Switch it on for this project and ship again.',
    )
  return bucket
}
