import type { CallRoom } from './room.ts'
import type { CallMode, CallTrack, IceServer } from './types.ts'

/** This page's tracks. The stream objects stay the same for the whole call. */
export interface LocalMedia {
  tracks: ReadonlyMap<CallTrack, MediaStreamTrack>
  camera: MediaStream
  screen: MediaStream
}

export interface TransportOptions {
  room: CallRoom
  me: string
  iceServers: () => IceServer[]
  local: () => LocalMedia
  members: () => ReturnType<CallRoom['peers']>
  /** Called with a new track of a peer, which replaces the peer's earlier track of the same kind. */
  arrived: (peer: string, kind: CallTrack, track: MediaStreamTrack) => void
  /** Called with the error when sending or receiving tracks fails, and with null when both work again. */
  failed: (error: unknown) => void
  /** Called when the connection has ended permanently and needs a new transport. */
  lost: (wasConnected: boolean) => void
}

export interface Transport {
  readonly mode: CallMode
  /** Connects to the peers that are in the call now, and disconnects from the others. */
  sync(): void
  /** Sends the tracks of this page. Resolves once the others can receive them. */
  local(): Promise<void>
  close(): void
}
