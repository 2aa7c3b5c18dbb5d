import type { Actor } from '../kernel/access/actor.ts'
import type { JsonText } from '../kernel/json-text.ts'

export const ACTOR_HEADER = 'slipway-actor'

/** The live room that a page joins. The type `PeerState` in the folder `live` adds further fields. */
export interface JoinedRoom {
  /** The name and id of the room, such as `doc/42`. */
  room: string
}

/** The types of the headers that contain JSON. `live/types.ts` adds `ROOM_HEADER`, which names the live room that the page joins. */
export interface JsonHeaders {
  [ACTOR_HEADER]: JsonText<Actor>
}

type ValueOf<Name extends string> = Name extends keyof JsonHeaders ? JsonHeaders[Name] : string

/**
 * The headers with which the live worker opens a socket at a Durable Object. The live worker sets or removes
 * every one of them, so that a page cannot choose their values.
 */
export interface SocketHeaders extends Headers {
  get<Name extends string>(name: Name): ValueOf<Name> | null
  set<Name extends string>(name: Name, value: ValueOf<Name>): void
}
