import type { Actor } from '../kernel/access/actor.ts'
import type { AsyncHandlersOf, ResultOf } from '../kernel/objects/calls.ts'
import { ApiError, asResult, noSuchUser, notSignedIn, unwrapResult } from '../kernel/errors.ts'
import { filesOf, type Objects, type Tier } from '../kernel/objects/objects.ts'
import { actorOf } from '../kernel/access/person.ts'
import type { LiveContext } from '../kernel/objects/rpc-method.ts'
import type { FileRef, FilesCalls, OwnFilesCalls } from './types.ts'

/** Handles the RPC calls for the person whose session this is. Returns `unauthorized` for a visitor. */
export const handleOwnFiles = <Kind extends keyof OwnFilesCalls>(
  { objects, tier }: LiveContext,
  session: string,
  kind: Kind,
  ask: OwnFilesCalls[Kind]['ask'],
): Promise<ResultOf<OwnFilesCalls, Kind>> =>
  asResult(async () => {
    const actor = await actorOf(objects, tier, { session })
    return ownFilesHandlers(objects, tier, actor)[kind](ask)
  })

function ownFilesHandlers(objects: Objects, tier: Tier, actor: Actor): AsyncHandlersOf<OwnFilesCalls> {
  if (typeof actor === 'string') throw notSignedIn()
  const { userId, role } = actor
  const isStaff = role === 'staff'

  async function callFiles<Kind extends keyof FilesCalls>(kind: Kind, what: FilesCalls[Kind]['ask']) {
    return unwrapResult(await filesOf(objects, tier).files(kind, what))
  }

  /** Another person's file counts as missing, so that a caller cannot find out which ids exist. */
  async function requireFile(id: string): Promise<FileRef> {
    const file = await callFiles('find', { id: id })
    if (file === null || (file.ownerId !== userId && !isStaff))
      throw new ApiError('not_found', 'There is no such file.')
    return file
  }

  return {
    open: ({ file }) => callFiles('open', { file, owner: userId }),
    find: ({ id }) => requireFile(id),
    list: async ({ owner = userId, limit, cursor }) => {
      if (owner !== userId && !isStaff) throw noSuchUser()
      return await callFiles('list', {
        ...(owner !== null && { owner }),
        ...(limit !== undefined && { limit }),
        ...(cursor !== undefined && { cursor }),
      })
    },
    sign: async ({ id, ttlSeconds, isDownload }) =>
      callFiles('sign', { id: (await requireFile(id)).id, ttlSeconds, isDownload }),
    remove: async ({ id }) => {
      const key = await callFiles('remove', { id: (await requireFile(id)).id })
      if (key === null) throw new ApiError('not_found', 'There is no such file.')
      return key
    },
  }
}
