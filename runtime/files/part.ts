import { unwrapResult } from '../kernel/errors.ts'
import { filesOf, type Tier } from '../kernel/objects/objects.ts'
import type { Part, PartContext } from '../kernel/objects/part.ts'
import { filesErasure } from './erasure.ts'
import { Files } from './object.ts'
import type { Methods } from './object-types.ts'
import type { FilePage, FileRef } from './types.ts'

interface FilesReads {
  files(tier: Tier, cursor: string | undefined): Promise<FilePage>
  takeFiles(tier: Tier, files: FileRef[]): Promise<{ taken: number }>
}

const createFiles = ({ ctx, env, hold }: PartContext) => new Files(ctx.storage, env, hold)

export const part: Part<Methods, object, FilesReads> = {
  erasure: filesErasure,
  methods: {
    files: (parts) => (kind, ask) => parts.once(createFiles).answer(kind, ask),
    takeFiles: (parts) => async (files) => parts.once(createFiles).take(files),
  },
  reads: {
    files: (at) => async (tier, cursor) => {
      const ask = { limit: 200, ...(cursor === undefined ? {} : { cursor }) }
      return unwrapResult(await filesOf(at.objects, tier).files('list', ask))
    },
    takeFiles: (at) => async (tier, files) => {
      await filesOf(at.objects, tier).takeFiles(files)
      return { taken: files.length }
    },
  },
}
