import type { Room } from '../live/room.ts'
import type { Peer } from '../live/types.ts'
import type { CallMode, CallTrack, IceServer } from './types.ts'

/** The streams stay the same objects for the whole call. */
export interface LocalMedia {
  tracks: ReadonlyMap<CallTrack, MediaStreamTrack>
  camera: MediaStream
  screen: MediaStream
}

export interface TransportOptions {
  room: Room
  me: string
  iceServers: () => IceServer[]
  local: () => LocalMedia
  members: () => Peer[]
  /** Replaces an earlier track of the same kind from this peer. */
  arrived: (peer: string, kind: CallTrack, track: MediaStreamTrack) => void
  /** Null: it works again. */
  failed: (error: unknown) => void
  /** The connection has ended, and only another transport can take its place. */
  lost: (wasConnected: boolean) => void
}

export interface Transport {
  readonly mode: CallMode
  /** Connects with the peers in the call now, and drops the others. */
  sync(): void
  /** Sends the tracks of this page; resolves once the others can take them. */
  local(): Promise<void>
  close(): void
}
