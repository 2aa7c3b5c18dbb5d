import { accountOf, directoryOf } from '../kernel/objects/objects.ts'
import type { Part, PartContext } from '../kernel/objects/part.ts'
import type { Head, Methods } from './object-types.ts'
import { ObjectConnections } from './object.ts'

const createConnections = (parts: PartContext) => {
  const { ctx, env, tier, partition: userId, hold } = parts
  return new ObjectConnections({
    storage: ctx.storage,
    env,
    tier,
    userId,
    hold,
    exists: () => parts.isPerson,
    note: (broken) => directoryOf(env.OBJECTS, tier).users('change', { id: userId, broken }),
  })
}

export const part: Part<Methods, Head> = {
  methods: {
    connections: (parts) => (kind, ask) => parts.once(createConnections).answer(kind, ask),
    countConnections: (parts) => async () => parts.once(createConnections).count(),
  },
  erasure: {
    count: async ({ objects, tier, userId }) => ({
      removed: { connectedCredentials: await accountOf(objects, tier, userId).countConnections() },
    }),
    // Also ends the grants at the services.
    erase: ({ objects, tier, userId }) => accountOf(objects, tier, userId).connections('removeAll', null),
  },
  moves: { connections: (parts) => parts.once(createConnections) },
}
