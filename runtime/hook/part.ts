import type { Part, PartContext } from '../kernel/objects/part.ts'
import type { Head, Methods } from './object-types.ts'
import { ObjectHooks } from './object.ts'

const createHooks = (parts: PartContext) => new ObjectHooks(parts, parts.appRecords)

export const part: Part<Methods, Head> = {
  methods: { hook: (parts) => async (kind, ask) => parts.once(createHooks).answer(kind, ask) },
  wake: { partition: { hooks: (parts) => parts.once(createHooks).wake() } },
  moves: { hooks: (parts) => (parts.isApp ? parts.once(createHooks) : null) },
  changed: (parts, log) => {
    if (parts.isApp) parts.once(createHooks).see(log)
  },
  prepared: (parts) => {
    if (parts.isApp) parts.once(createHooks).forgetRelease()
  },
  resume: (parts) => parts.once(createHooks).resume(),
}
