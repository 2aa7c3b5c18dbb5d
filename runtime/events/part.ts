import type { Part, PartContext } from '../kernel/objects/part.ts'
import type { Methods } from './object-types.ts'
import { EventSalts } from './salts.ts'

const createSalts = (parts: PartContext) => new EventSalts(parts.ctx.storage)

function expireSalts(parts: PartContext): void {
  const at = parts.once(createSalts).expire(Date.now())
  if (at !== null) parts.alarms.set('salts', at)
}

export const part: Part<Methods> = {
  methods: {
    /** Returns today's salt, which gives each visitor a pseudonym for one day. */
    dirEventSalt: (parts) => async () => {
      const salt = parts.once(createSalts).of(Date.now())
      expireSalts(parts)
      return salt
    },
  },
  wake: { directory: { salts: expireSalts } },
}
