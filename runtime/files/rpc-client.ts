import { env } from 'cloudflare:workers'
import type { FileBucket } from '../bytes/bucket.ts'
import { requireLive } from '../kernel/env.ts'
import { ApiError, valueIn } from '../kernel/errors.ts'
import type { FilesCalls, OwnFilesCalls } from './types.ts'

/**
 * Calls the Durable Object that lists the files, through the live worker. Throws the `ApiError` that it
 * returns.
 */
export async function callFiles<Kind extends keyof FilesCalls>(
  kind: Kind,
  ask: FilesCalls[Kind]['ask'],
): Promise<FilesCalls[Kind]['answer']> {
  const live = requireLive('files')
  return valueIn(await live.files(kind, ask))
}

/** Like `callFiles`, with the rights of the person whose session this is. */
export async function callOwnFiles<Kind extends keyof OwnFilesCalls>(
  session: string,
  kind: Kind,
  ask: OwnFilesCalls[Kind]['ask'],
): Promise<OwnFilesCalls[Kind]['answer']> {
  const live = requireLive('files')
  return valueIn(await live.ownFiles(session, kind, ask))
}

/**
 * Returns the bucket of production or of the preview, whichever this worker serves; it has no binding to the
 * other bucket. Throws `not_enabled` while the capability is off.
 */
export function fileBucket(): FileBucket {
  const bucket = env['FILES'] as FileBucket | undefined
  if (bucket === undefined)
    throw new ApiError(
      'not_enabled',
      'The capability files is off. Switch it on for this project and ship again.',
    )
  return bucket
}
