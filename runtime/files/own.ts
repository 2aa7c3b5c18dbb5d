import type { Actor } from '../kernel/actor.ts'
import type { AnswerTo, AsyncHandlersOf } from '../kernel/calls.ts'
import { ApiError, noSuchUser, notSignedIn, refusalAsValue, valueIn } from '../kernel/errors.ts'
import { filesOf, type Objects, type Tier } from '../kernel/objects.ts'
import type { FileRef, FilesCalls, OwnFilesCalls } from './types.ts'

type Handlers = AsyncHandlersOf<OwnFilesCalls>

/** Answers a call for the person who is signed in. Refusals are returned as values. */
export async function answerOwnFiles<Kind extends keyof OwnFilesCalls>(
  place: { objects: Objects; tier: Tier; actor: Actor },
  kind: Kind,
  ask: OwnFilesCalls[Kind]['ask'],
): Promise<AnswerTo<OwnFilesCalls, Kind>> {
  return await refusalAsValue(() => handlersFor(place)[kind](ask))
}

function handlersFor({ objects, tier, actor }: { objects: Objects; tier: Tier; actor: Actor }): Handlers {
  if (typeof actor === 'string') throw notSignedIn()
  const { userId, role } = actor
  const isStaff = role === 'staff'

  async function ask<Kind extends keyof FilesCalls>(kind: Kind, what: FilesCalls[Kind]['ask']) {
    return valueIn(await filesOf(objects, tier).files(kind, what))
  }

  /** Another person's file is not found, so that a caller cannot find out that an id exists. */
  async function requireFile(id: string): Promise<FileRef> {
    const file = await ask('find', { id: id })
    if (file === null || (file.ownerId !== userId && !isStaff))
      throw new ApiError('not_found', 'There is no such file.')
    return file
  }

  return {
    open: ({ file }) => ask('open', { file, owner: userId }),
    find: ({ id }) => requireFile(id),
    list: async ({ owner = userId, limit, cursor }) => {
      if (owner !== userId && !isStaff) throw noSuchUser()
      return await ask('list', {
        ...(owner !== null && { owner }),
        ...(limit !== undefined && { limit }),
        ...(cursor !== undefined && { cursor }),
      })
    },
    sign: async ({ id, ttlSeconds, isDownload }) =>
      ask('sign', { id: (await requireFile(id)).id, ttlSeconds, isDownload }),
    remove: async ({ id }) => {
      const key = await ask('remove', { id: (await requireFile(id)).id })
      if (key === null) throw new ApiError('not_found', 'There is no such file.')
      return key
    },
  }
}
