import type { CallFrameUp, CallPlace, CallSeat, InCall, Signal } from '../call/types.ts'
import type { ReleaseMethod } from '../kernel/calls.ts'
import type { Failure } from '../kernel/errors.ts'

/** The app's worker says in this header whether a room may have a call. */
export const CALL_HEADER = 'slipway-call'

export interface RoomSpec {
  room: string
  access: 'public' | 'members' | 'team' | 'staff'
  /** How many messages a room stores; by default the operator's number. */
  history?: number | undefined
}

export interface Peer {
  /** Given by the room; another one with every connection. */
  id: string
  /** Null: a visitor. */
  userId: string | null
  presence: unknown
  /** Absent: the page is not in the call of the room. */
  call?: InCall
}

export interface RoomMessage {
  /** Grows with every message of a room: milliseconds since 1970, or the next free number. */
  seq: number
  type: string
  data: unknown
  /** Null: sent by server code. */
  from: { id: string; userId: string | null } | null
}

/** Frames from a room to a browser. `ref` names the frame that they reply to. */
export type RoomFrameDown =
  /** The state of the room; the first frame. */
  | { type: 'room'; me: string; peers: Peer[]; state: Record<string, unknown> }
  | { type: 'peers'; put: Peer[]; left: string[] }
  /** `missed`: sent before this socket was opened. */
  | { type: 'messages'; items: RoomMessage[]; ref?: string; missed?: true }
  /** Value null: the key was removed. */
  | { type: 'state'; key: string; value: unknown; ref?: string }
  /** A person was erased: the page drops everything from them. */
  | { type: 'forget'; userId: string }
  | { type: 'rtc'; from: string; data: Signal }
  /** The reply to a request about the call. */
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

/** For the app's worker. A socket is opened by `fetch`. */
export interface RoomsBinding {
  rooms: ReleaseMethod<LiveCalls>
}

/** `room` is name and id of a room: `doc/42`. */
export interface RoomObjectCalls {
  /** In the object of a person: a room that they have entered. In the directory: a room that stores something. */
  note: { ask: { room: string }; answer: null }
  noted: { ask: null; answer: string[] }
  /** In the directory: whether these places have a call. Ignored where it has later news. */
  callsAt: { ask: { calls: CallPlace[]; isOn: boolean }; answer: null }
  calls: { ask: null; answer: CallPlace[] }
  /** In the object that hosts the room. */
  call: { ask: { room: string }; answer: (CallSeat & { userId: string | null })[] }
  broadcast: { ask: { room: string; history: number; event: string; data: unknown }; answer: null }
  peers: { ask: { room: string }; answer: Peer[] }
}

/** Stored with the socket, so that it survives hibernation. */
export interface Seat {
  room: string
  peer: string
  userId: string | null
  presence: unknown
  /** How many messages the room stores. */
  history: number
  /** Whether the room may have a call. */
  canCall?: boolean | undefined
  call?: CallSeat | undefined
}
