import type { Part, PartPlace } from '../kernel/part.ts'
import type { Methods } from './object-types.ts'
import { jobKeyHandlers } from './objects.ts'

const keys = (parts: PartPlace) => jobKeyHandlers(parts.ctx.storage, parts.hold)

export const part: Part<Methods> = {
  methods: { jobKeys: (parts) => async (kind, ask) => parts.once(keys)[kind](ask) },
}
