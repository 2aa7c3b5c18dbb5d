import type { Part, PartContext } from '../kernel/objects/part.ts'
import type { Methods } from './object-types.ts'
import { jobKeyHandlers } from './objects.ts'

const createJobKeys = (parts: PartContext) => jobKeyHandlers(parts.ctx.storage, parts.hold)

export const part: Part<Methods> = {
  methods: { jobKeys: (parts) => async (kind, ask) => parts.once(createJobKeys)[kind](ask) },
}
