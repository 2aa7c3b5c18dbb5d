import { ReconnectingSocket } from '../data/client/reconnecting-socket.ts'
import { onRestart, type SharedRoom, pageStoreOf } from '../data/client/page-store.ts'
import { ApiError } from '../kernel/errors.ts'
import type { RoomName } from '../types.gen.ts'
import { callRoute } from '../web/api.ts'
import { Room, type RoomConnection, type RoomConnectionEvents } from './room.ts'
import type { RoomServerFrame } from './types.ts'

export type { Room, RoomStatus } from './room.ts'
export type { Peer, RoomMessage } from './types.ts'

export interface RoomOptions {
  /** Whose room it is: `own` for the signed-in person, or the id of a team. Without it the room belongs to the app. */
  partition?: string | undefined
  /** Uses one socket for the room and the partition's records, so that changes of both arrive in order. */
  data?: boolean | undefined
}

export interface BrowserLive {
  /** Returns the same room for the same arguments. The room connects when `join` is called. */
  room(name: RoomName, id: string, options?: RoomOptions): Room
}

const openRooms = new Map<string, Room>()

export const live: BrowserLive = {
  room(name, id, { partition, data = false } = {}) {
    if (openRooms.size === 0) onRestart((hasLeft) => openRooms.forEach((room) => room.restart(hasLeft)))
    const key = JSON.stringify([name, id, partition, data])
    const path = `/_app/live/${encodeURIComponent(name)}/${encodeURIComponent(id)}`
    const known = openRooms.get(key)
    if (known !== undefined) return known
    const isShared = data && partition !== undefined
    const room = new Room((events) =>
      isShared ? shareSocket(path, partition, events) : connectRoom(path, partition, events),
    )
    openRooms.set(key, room)
    return room
  },
}

/** Opens a socket that carries only the room's frames. */
function connectRoom(
  path: string,
  partition: string | undefined,
  events: RoomConnectionEvents,
): RoomConnection {
  const paramsWith = (more: Record<string, string>) =>
    new URLSearchParams({ ...(partition !== undefined && { partition }), ...more })
  const link = new ReconnectingSocket<RoomServerFrame>({
    url: () => `${socketOrigin()}${path}?${paramsWith({ since: String(events.since()) })}`,
    onFrame: (frame) => events.frame(frame),
    onStatus: (status) => {
      if (status !== 'stale') return
      events.lost()
      reportRefusal(`${path}?${paramsWith({})}`, events)
    },
  })
  return { send: (frame) => link.send(frame), close: () => link.close() }
}

/** Returns a connection to the room over the socket that the page uses for the records of the partition. */
function shareSocket(path: string, partition: string, events: RoomConnectionEvents): RoomConnection {
  const store = pageStoreOf(partition)
  const shared: SharedRoom = {
    path,
    since: () => events.since(),
    receive: (frame) => events.frame(frame as RoomServerFrame),
    lost: () => {
      events.lost()
      reportRefusal(`${path}?${new URLSearchParams({ partition })}`, events)
    },
  }
  store.host(shared)
  return { send: (frame) => store.send(frame), close: () => store.host(null, shared) }
}

const PASSING_CODES: readonly string[] = ['unavailable', 'server_error', 'rate_limited']

/** A WebSocket does not report why it was refused, so send a plain request to get the error. */
function reportRefusal(address: string, events: RoomConnectionEvents): void {
  callRoute('GET', address).catch((error: unknown) => {
    if (error instanceof ApiError) events.failed(error, !PASSING_CODES.includes(error.code))
  })
}

const socketOrigin = () => location.origin.replace(/^http/, 'ws')
