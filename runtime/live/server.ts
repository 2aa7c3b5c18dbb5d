import type { RoomName } from '../types.gen.ts'
import { invalid } from '../kernel/errors.ts'
import { utf8Length } from '../kernel/fields.ts'
import { callRooms } from './rpc-client.ts'
import type { Peer } from './types.ts'

export type { Peer } from './types.ts'

/** A larger message would not fit into the history of a room, which keeps 512 KiB of messages (`HISTORY_BYTES_MAX`). */
const DATA_BYTES_MAX = 512 * 1024

/** Access of server code to the rooms that `app.json` declares. `partition` is the id of the person or team that the room belongs to. */
export interface ServerLive {
  /** Sends a message to all pages in a room. The room stores it like a message of a page. */
  broadcast(
    name: RoomName,
    id: string,
    type: string,
    data: unknown,
    options?: { partition?: string },
  ): Promise<void>
  /** Returns the pages that are in a room now. */
  peers(name: RoomName, id: string, options?: { partition?: string }): Promise<Peer[]>
}

export const live: ServerLive = {
  async broadcast(name, id, type, data, { partition } = {}) {
    if (utf8Length(JSON.stringify(data ?? null)) > DATA_BYTES_MAX)
      throw invalid('data', 'must have at most 512 KB as JSON')
    await callRooms('broadcast', { name, id, partition, event: type, data })
  },
  peers: (name, id, { partition } = {}) => callRooms('peers', { name, id, partition }),
}
