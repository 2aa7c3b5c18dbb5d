import type { Room } from '../live/room.ts'
import type { Peer } from '../live/types.ts'
import type { CallMode, CallTrack, IceServer } from './types.ts'

/** What this page sends. The streams stay the same for as long as the call lasts. */
export interface LocalMedia {
  tracks: ReadonlyMap<CallTrack, MediaStreamTrack>
  camera: MediaStream
  screen: MediaStream
}

export interface TransportOptions {
  room: Room
  /** The id of this page in the room. */
  me: string
  iceServers: () => IceServer[]
  local: () => LocalMedia
  /** The others in the call. */
  members: () => Peer[]
  /** A track of a peer has come, in the place of an earlier one of its kind. */
  arrived: (peer: string, kind: CallTrack, track: MediaStreamTrack) => void
  /** Null: what had failed works again. */
  failed: (error: unknown) => void
  /** The connection has ended, and only another transport can take its place. */
  lost: (wasConnected: boolean) => void
}

/** How the media of a call travel. */
export interface Transport {
  readonly mode: CallMode
  /** Connects with those who are in the call now, and drops the others. */
  sync(): void
  /** Sends what this page sends now; resolves once the others can have it. */
  local(): Promise<void>
  close(): void
}
