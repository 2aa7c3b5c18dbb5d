import type { CallFrameUp, CallPlace, CallSeat, InCall, Signal } from '../call/types.ts'
import type { ReleaseMethod } from '../kernel/calls.ts'
import type { Failure } from '../kernel/errors.ts'

/** By this header the app's worker says whether a room may have a call. */
export const CALL_HEADER = 'slipway-call'

/** Rooms of one name as `app.json` declares them. */
export interface RoomSpec {
  room: string
  access: 'public' | 'members' | 'team' | 'staff'
  /** How many messages a room keeps; without it the operator's number. */
  history?: number | undefined
}

/** A browser in a room. */
export interface Peer {
  /** Given by the room; a new one with every connection. */
  id: string
  /** Null: a visitor. */
  userId: string | null
  presence: unknown
  /** Absent: it is not in the call of the room. */
  call?: InCall
}

/** A message of a room. */
export interface RoomMessage {
  /** Grows from message to message of a room; milliseconds since 1970, or the next free number. */
  seq: number
  type: string
  data: unknown
  /** Null: server code. */
  from: { id: string; userId: string | null } | null
}

/** Frames of a room on their way to a browser. `ref` names the frame that they answer. */
export type RoomFrameDown =
  /** The room as it is now: the first frame. */
  | { type: 'room'; me: string; peers: Peer[]; state: Record<string, unknown> }
  | { type: 'peers'; put: Peer[]; left: string[] }
  /** `missed`: what was said before the socket was opened. */
  | { type: 'messages'; items: RoomMessage[]; ref?: string; missed?: true }
  /** Null: the key is removed. */
  | { type: 'state'; key: string; value: unknown; ref?: string }
  /** A person was erased: what the page keeps of theirs goes, too. */
  | { type: 'forget'; userId: string }
  /** What another page tells this one of their call. */
  | { type: 'rtc'; from: string; data: Signal }
  /** The answer to what this page asked about its call. */
  | { type: 'call'; ref: string; value: unknown }
  | ({ type: 'refused'; ref: string } & Failure)

export type RoomFrameUp =
  | { type: 'presence'; presence: unknown }
  | { type: 'broadcast'; ref: string; event: string; data: unknown }
  | { type: 'state'; ref: string; key: string; value: unknown }
  | { type: 'rtc'; to: string; data: Signal }
  | CallFrameUp

/** Calls of the app's worker about its rooms, as server code. Methods are added, never changed. */
export interface LiveCalls {
  broadcast: {
    ask: { name: string; id: string; partition?: string | undefined; event: string; data: unknown }
    answer: null
  }
  peers: { ask: { name: string; id: string; partition?: string | undefined }; answer: Peer[] }
}

/** What the app's worker may call of the rooms. A socket is opened by `fetch`. */
export interface RoomsBinding {
  rooms: ReleaseMethod<LiveCalls>
}

/** Calls of the objects about rooms. `room` is the name and id of one: `doc/42`. */
export interface RoomObjectCalls {
  /** In the object of a person: a room they have entered; in the directory: one that stores something. */
  note: { ask: { room: string }; answer: null }
  noted: { ask: null; answer: string[] }
  /** In the directory: whether there are calls at these places, unless it has heard later news of one. */
  callsAt: { ask: { calls: CallPlace[]; isOn: boolean }; answer: null }
  calls: { ask: null; answer: CallPlace[] }
  /** In the object that hosts the room. */
  call: { ask: { room: string }; answer: (CallSeat & { userId: string | null })[] }
  broadcast: { ask: { room: string; history: number; event: string; data: unknown }; answer: null }
  peers: { ask: { room: string }; answer: Peer[] }
}

/** The room that a socket is in, as it is kept with the socket. */
export interface Seat {
  room: string
  peer: string
  userId: string | null
  presence: unknown
  /** How many messages the room keeps. */
  history: number
  /** Whether the room may have a call. */
  canCall?: boolean | undefined
  call?: CallSeat | undefined
}
