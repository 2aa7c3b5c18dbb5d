import type {
  CallClientFrame,
  CallLocation,
  CallParticipantState,
  CallParticipation,
  Signal,
} from '../call/types.ts'
import type { JoinedRoom } from '../data/socket-headers.ts'
import type { ReleaseMethod } from '../kernel/objects/calls.ts'
import type { Failure } from '../kernel/errors.ts'
import type { JsonText } from '../kernel/json-text.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    live: RoomsBinding
  }
}

declare module '../kernel/manifest.ts' {
  interface Manifest {
    rooms?: RoomSpec[] | undefined
  }
}

/** The header in which the live worker sends a page's `PeerState` to the Durable Object that hosts the room. */
export const ROOM_HEADER = 'slipway-room'

declare module '../data/socket-headers.ts' {
  interface JsonHeaders {
    [ROOM_HEADER]: JsonText<Pick<PeerState, 'room' | 'history' | 'canCall'>>
  }
}

/** The header in which the app's worker says whether rooms may have audio and video calls. */
export const CALL_HEADER = 'slipway-call'

export interface RoomSpec {
  room: string
  access: 'public' | 'members' | 'team' | 'staff'
  /** How many messages a room stores. The operator's setting is the default. */
  history?: number | undefined
}

export interface Peer {
  /** Assigned by the room, a new one for every connection. */
  id: string
  /** Null for a visitor. */
  userId: string | null
  presence: unknown
  /** Absent when the page is not in the room's audio or video call. */
  call?: CallParticipation
}

export interface RoomMessage {
  /** Increases with every message of a room: milliseconds since 1970, or the next free number. */
  seq: number
  type: string
  data: unknown
  /** Null when server code sent the message. */
  from: { id: string; userId: string | null } | null
}

/** Frames from a room to a browser. A reply has the `ref` of the frame from the browser that it replies to. */
export type RoomServerFrame =
  /** The state of the room. This is the first frame. */
  | { type: 'room'; me: string; peers: Peer[]; state: Record<string, unknown> }
  | { type: 'peers'; put: Peer[]; left: string[] }
  /** `missed` marks messages that were sent before this socket was opened. */
  | { type: 'messages'; items: RoomMessage[]; ref?: string; missed?: true }
  /** A null `value` means that the key was removed. */
  | { type: 'state'; key: string; value: unknown; ref?: string }
  /** A person was erased. The page removes everything from them. */
  | { type: 'forget'; userId: string }
  | { type: 'rtc'; from: string; data: Signal }
  /** The response to a request about the audio or video call. */
  | { type: 'call'; ref: string; value: unknown }
  | ({ type: 'refused'; ref: string } & Failure)

export type RoomClientFrame =
  | { type: 'presence'; presence: unknown }
  | { type: 'broadcast'; ref: string; event: string; data: unknown }
  | { type: 'state'; ref: string; key: string; value: unknown }
  | { type: 'rtc'; to: string; data: Signal }
  | CallClientFrame

/**
 * The RPC methods of the live worker that the app's worker calls for its server code. Deployed older releases
 * still call them, so add methods but never change or remove one.
 */
export interface LiveCalls {
  broadcast: {
    ask: { name: string; id: string; partition?: string | undefined; event: string; data: unknown }
    answer: null
  }
  peers: { ask: { name: string; id: string; partition?: string | undefined }; answer: Peer[] }
}

/** The RPC method for the app's worker. Sockets are opened with `fetch` instead. */
export interface RoomsBinding {
  rooms: ReleaseMethod<LiveCalls>
}

/** `room` is the name and id of a room, such as `doc/42`. */
export interface RoomObjectCalls {
  /**
   * Adds a room to the list in this Durable Object. Called on a person's object before the person enters
   * the room, and on the directory before the room stores something.
   */
  note: { ask: { room: string }; answer: null }
  noted: { ask: null; answer: string[] }
  /**
   * Stores in the directory whether an audio or video call is running in these rooms. Ignores a room for which a newer report is stored.
   */
  callsAt: { ask: { calls: CallLocation[]; isOn: boolean }; answer: null }
  calls: { ask: null; answer: CallLocation[] }
  /** Removes the calls of a partition from the list in the directory. */
  forgetCalls: { ask: { place: string }; answer: null }
  /** Returns the participants of the call in a room that this object hosts. */
  call: { ask: { room: string }; answer: (CallParticipantState & { userId: string | null })[] }
  broadcast: { ask: { room: string; history: number; event: string; data: unknown }; answer: null }
  peers: { ask: { room: string }; answer: Peer[] }
}

/** What a room knows about one connected page. Stored with the socket and therefore kept during hibernation. */
export interface PeerState extends JoinedRoom {
  peer: string
  userId: string | null
  presence: unknown
  /** How many messages the room stores. */
  history: number
  /** Whether the room may have an audio or video call. */
  canCall?: boolean | undefined
  call?: CallParticipantState | undefined
}
