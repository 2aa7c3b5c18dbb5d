import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { RoomName } from '../../types.gen.ts'
import { live, type RoomOptions } from '../client.ts'
import type { Room } from '../room.ts'
import type { Peer } from '../types.ts'

const NO_PEERS: Peer[] = []

/** Stays in the room while the component is mounted, and renders again after every change in the room. */
export function useRoom(
  name: RoomName,
  id: string,
  { partition, data, presence }: RoomOptions & { presence?: unknown } = {},
): Room {
  const room = useMemo(() => live.room(name, id, { partition, data }), [name, id, partition, data])
  const shown = JSON.stringify(presence)
  useEffect(() => {
    // Ignored here, because `error()` returns why the room could not be entered.
    room.join().catch(() => {})
    return () => room.leave()
  }, [room])
  const hadPresence = useRef(false)
  useEffect(() => {
    if (shown !== undefined) room.setPresence(JSON.parse(shown))
    // Without this check, a component without a presence would clear the presence that the app has set on the room.
    else if (hadPresence.current) room.setPresence(null)
    hadPresence.current = shown !== undefined
  }, [room, shown])
  useSyncExternalStore(room.listen, room.version, () => 0)
  return room
}

/** Returns the pages in a room, for a component that needs nothing else from the room. */
export const usePresence = (room: Room): Peer[] =>
  useSyncExternalStore(room.listen, room.peers, () => NO_PEERS)
