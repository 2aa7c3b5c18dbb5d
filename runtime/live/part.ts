import { endSockets } from '../data/partition/sockets.ts'
import { notSignedIn } from '../kernel/errors.ts'
import { accountOf, directoryOf, nameOfRoom, roomOf } from '../kernel/objects/objects.ts'
import type { Part, PartContext } from '../kernel/objects/part.ts'
import type { Head, Methods } from './object-types.ts'
import { indexedRooms, indexRoom } from './room-index.ts'
import { ObjectRooms, ROOMS_OF_PERSON_MAX } from './rooms.ts'
import { liveSettingsOf } from './settings.ts'

function createRooms(parts: PartContext): ObjectRooms {
  const { ctx, env, tier, partition, hold } = parts
  const list = directoryOf(env.OBJECTS, tier)
  return new ObjectRooms({
    ctx,
    hold,
    maxPeers: liveSettingsOf(env).maxPeers,
    env,
    announce: parts.isRoom ? (room) => indexRoom(list, room) : null,
    noteCall: (call, isOn) =>
      list.rooms('callsAt', { calls: [{ place: partition || nameOfRoom(call.room), ...call }], isOn }),
    notedMax: partition === '' ? null : ROOMS_OF_PERSON_MAX,
    requireNoting: () => {
      if (partition === '') hold.require()
      else if (!parts.isKept) throw notSignedIn()
    },
  })
}

export const part: Part<Methods, Head, object, 'rooms' | 'endSockets'> = {
  members: {
    rooms: (parts) => parts.once(createRooms),
    endSockets: (parts) => (userId) => {
      parts.rooms.closing(userId)
      endSockets(parts.ctx, userId)
    },
  },
  methods: { rooms: (parts) => (kind, ask) => parts.once(createRooms).answer(kind, ask) },
  erasure: {
    erase: async ({ objects, tier, userId }) => {
      for (const room of await indexedRooms(accountOf(objects, tier, userId)))
        await roomOf(objects, tier, room).disown(userId)
    },
  },
  moves: {
    rooms: (parts) => parts.once(createRooms),
  },
}
