import { ApiError, unwrapResult } from '../kernel/errors.ts'
import type { ErasedPerson, Erasure } from '../kernel/objects/erasure.ts'
import { filesOf } from '../kernel/objects/objects.ts'

const FILES_AT_ONCE = 200

export const filesErasure: Erasure = {
  async count({ objects, tier, userId }) {
    const list = filesOf(objects, tier)
    const total = { files: 0, fileBytes: 0 }
    for (let cursor: string | undefined; ;) {
      const ask = { owner: userId, limit: FILES_AT_ONCE, ...(cursor && { cursor }) }
      const { items, nextCursor } = unwrapResult(await list.files('list', ask))
      total.files += items.length
      total.fileBytes += items.reduce((sum, { size }) => sum + size, 0)
      if (nextCursor === null) return { removed: total }
      cursor = nextCursor
    }
  },
  erase: eraseFiles,
}

/** Hides files before deleting their bytes, so that after an interruption the next call finds what is left. */
async function eraseFiles({ objects, tier, userId, removeBytes }: ErasedPerson): Promise<void> {
  const list = filesOf(objects, tier)
  for (;;) {
    const { items } = unwrapResult(await list.files('list', { owner: userId, limit: FILES_AT_ONCE }))
    for (const { id } of items) {
      const hidden = await list.files('remove', { id })
      // No file is hidden while the app is being moved, so without this error the loop would never end.
      if (!hidden.ok && hidden.error.code !== 'not_found') unwrapResult(hidden)
    }
    // Abandon uploads in progress, because each would become a file without an owner.
    const dead = unwrapResult(await list.files('abandon', { owner: userId }))
    if (items.length === 0 && dead.length === 0) return
    if ((await removeBytes(dead.map(({ key }) => key))) === false)
      throw new ApiError(
        'unavailable',
        'The files could not be reached. Erase this person again in a moment.',
      )
    await list.files('gone', { ids: dead.map(({ id }) => id) })
  }
}
