import type { ApiError } from '../kernel/errors.ts'
import type { CallMode, CallTrack } from './types.ts'

/** The devices to use: true for the browser's choice, constraints such as `{ deviceId }`, false for none. */
export interface CallMedia {
  audio?: boolean | MediaTrackConstraints | undefined
  video?: boolean | MediaTrackConstraints | undefined
}

/** Another page in the call. */
export interface CallPeer {
  id: string
  /** Null for a visitor. */
  userId: string | null
  presence: unknown
  /** The tracks that the peer sends; those in `muted` are silent or dark now. */
  tracks: CallTrack[]
  muted: CallTrack[]
  /** The peer's camera and microphone. Replaced by a new stream when the call switches between mesh and SFU. */
  stream: MediaStream
  /** Null while the peer does not share its screen. */
  screen: MediaStream | null
}

/** `joining` includes a page that reconnects. With `refused`, `error()` returns the reason, and the page does not rejoin by itself. */
export type CallStatus = 'joining' | 'live' | 'refused' | 'left'

export interface Call {
  status(): CallStatus
  error(): ApiError | null
  /** Whether media goes from browser to browser or through the media server; null while connecting. */
  mode(): CallMode | null
  /** The other pages in the call. */
  peers(): CallPeer[]
  /** This page's camera and microphone, to be shown muted. */
  local(): MediaStream
  screen(): MediaStream | null
  /** Switches to other devices. False turns the microphone (`audio`) or camera (`video`) off; a device that is left out does not change. */
  publish(media: CallMedia): Promise<void>
  mute(kind: 'audio' | 'video', isMuted: boolean): void
  /** Also returns true for a track that is not sent at all. */
  isMuted(kind: 'audio' | 'video'): boolean
  /** Asks the person for a screen and sends it. With false it stops sending the screen. */
  shareScreen(isShared?: boolean): Promise<void>
  /** Device names are empty until the person has allowed the browser to use the devices. */
  devices(): Promise<MediaDeviceInfo[]>
  leave(): void
  /** Calls `listener` after every change. Returns the function that unsubscribes. */
  listen(listener: () => void): () => void
  /** Increases with every change. */
  version(): number
}
