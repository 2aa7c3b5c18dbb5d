import type { Part, PartPlace } from '../kernel/part.ts'
import type { Methods } from './object-types.ts'
import { EventSalts } from './salts.ts'

const salts = (parts: PartPlace) => new EventSalts(parts.ctx.storage)

function expire(parts: PartPlace): void {
  const at = parts.once(salts).expire(Date.now())
  if (at !== null) parts.alarms.set('salts', at)
}

export const part: Part<Methods> = {
  methods: {
    /** Returns today's salt, which gives each visitor a pseudonym for one day. */
    dirEventSalt: (parts) => async () => {
      const salt = parts.once(salts).of(Date.now())
      expire(parts)
      return salt
    },
  },
  wake: { directory: { salts: expire } },
}
