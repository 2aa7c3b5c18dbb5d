import type { Seat } from '../live/types.ts'
import type { Actor } from '../kernel/actor.ts'
import type { JsonText } from '../kernel/json-text.ts'

export const ACTOR_HEADER = 'slipway-actor'
export const ROOM_HEADER = 'slipway-room'

interface Own {
  [ACTOR_HEADER]: JsonText<Actor>
  [ROOM_HEADER]: JsonText<Pick<Seat, 'room' | 'history' | 'canCall'>>
}

type ValueOf<Name extends string> = Name extends keyof Own ? Own[Name] : string

/**
 * The headers with which the live worker opens a socket at a Durable Object. The live worker sets or removes
 * every one of them, so that a page cannot choose their values.
 */
export interface SocketHeaders extends Headers {
  get<Name extends string>(name: Name): ValueOf<Name> | null
  set<Name extends string>(name: Name, value: ValueOf<Name>): void
}
