import { accountOf, directoryOf } from '../kernel/objects/objects.ts'
import type { Part, PartContext } from '../kernel/objects/part.ts'
import type { Head, Methods } from './object-types.ts'
import { ObjectPush } from './object.ts'
import { pushOwnerHandlers } from './owners.ts'

const createPush = (parts: PartContext) =>
  new ObjectPush(parts, (id) =>
    directoryOf(parts.env.OBJECTS, parts.tier).pushOwners('release', { userId: parts.partition, id }),
  )

const createPushOwners = (parts: PartContext) =>
  pushOwnerHandlers(parts.ctx.storage, (userId) => parts.isKnown(userId))

export const part: Part<Methods, Head> = {
  methods: {
    push: (parts) => (kind, ask) => parts.once(createPush).answer(kind, ask, parts.isKept),
    countPushDevices: (parts) => async () => parts.once(createPush).count(),
    pushOwners: (parts) => async (kind, ask) => parts.once(createPushOwners)[kind](ask),
  },
  erasure: {
    count: async ({ objects, tier, userId }) => ({
      removed: { pushDevices: await accountOf(objects, tier, userId).countPushDevices() },
    }),
    forget: ({ objects, tier, userId }) => directoryOf(objects, tier).pushOwners('release', { userId }),
  },
  wake: { partition: { push: (parts) => parts.once(createPush).wake() } },
  moves: { push: (parts) => parts.once(createPush) },
}
