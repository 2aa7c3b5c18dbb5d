import type { Part, PartPlace } from '../kernel/part.ts'
import type { Head, Methods } from './object-types.ts'
import { ObjectHooks } from './object.ts'

const hooks = (parts: PartPlace) => new ObjectHooks(parts, parts.appRecords)

export const part: Part<Methods, Head> = {
  methods: { hook: (parts) => async (kind, ask) => parts.once(hooks).answer(kind, ask) },
  wake: { partition: { hooks: (parts) => parts.once(hooks).wake() } },
  moves: { hooks: (parts) => (parts.isApp ? parts.once(hooks) : null) },
  changed: (parts, log) => {
    if (parts.isApp) parts.once(hooks).see(log)
  },
  prepared: (parts) => {
    if (parts.isApp) parts.once(hooks).forgetRelease()
  },
  resume: (parts) => parts.once(hooks).resume(),
}
