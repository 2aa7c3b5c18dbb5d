import type { Part, PartPlace } from '../kernel/part.ts'
import type { Head, Methods } from './object-types.ts'
import { ObjectHooks } from './object.ts'

const hooks = (parts: PartPlace) => new ObjectHooks(parts, parts.appRecords)

export const part: Part<Methods, Head> = {
  methods: { hook: (parts) => async (kind, ask) => parts.once(hooks).answer(kind, ask) },
  wake: { partition: { hooks: (parts) => parts.once(hooks).wake() } },
  dump: (parts) => ({ hooks: parts.isApp ? parts.once(hooks).dump() : null }),
  restore: (parts, head) => {
    if (head.hooks) parts.once(hooks).restore(head.hooks)
  },
  changed: (parts, log) => {
    if (parts.isApp) parts.once(hooks).see(log)
  },
  prepared: (parts) => {
    if (parts.isApp) parts.once(hooks).forgetRelease()
  },
  resume: (parts) => parts.once(hooks).resume(),
}
