import { ApiError } from '../kernel/errors.ts'
import type { Room } from '../live/room.ts'
import type { CallMode, CallTrack } from './types.ts'

/** Which devices are used: true for the browser's choice, constraints like `{ deviceId }`, false for none. */
export interface CallMedia {
  audio?: boolean | MediaTrackConstraints | undefined
  video?: boolean | MediaTrackConstraints | undefined
}

/** Another page in the call. */
export interface CallPeer {
  id: string
  /** Null: a visitor. */
  userId: string | null
  presence: unknown
  /** The tracks that it sends; those in `muted` are silent or dark now. */
  tracks: CallTrack[]
  muted: CallTrack[]
  /** Its camera and microphone. Becomes another object when the call is carried differently. */
  stream: MediaStream
  /** Null: it does not share its screen. */
  screen: MediaStream | null
}

/** `joining`: also after a lost connection. `refused`: `error()` says why, and the page does not join again by itself. */
export type CallStatus = 'joining' | 'live' | 'refused' | 'left'

export interface Call {
  status(): CallStatus
  error(): ApiError | null
  /** How it is carried now; null while it connects. */
  mode(): CallMode | null
  /** The other pages in the call. */
  peers(): CallPeer[]
  /** What this page sends of its camera and microphone: show it without sound. */
  local(): MediaStream
  screen(): MediaStream | null
  /** Uses other devices, or none for false. A kind that is not named stays as it is. */
  publish(media: CallMedia): Promise<void>
  mute(kind: 'audio' | 'video', isMuted: boolean): void
  /** Also true for a track that is not sent at all. */
  isMuted(kind: 'audio' | 'video'): boolean
  /** Asks for a screen and sends it; with false it stops sending it. */
  shareScreen(isShared?: boolean): Promise<void>
  /** Their names are empty until the browser was allowed to use them. */
  devices(): Promise<MediaDeviceInfo[]>
  leave(): void
  /** Calls back after every change; returns the function that ends it. */
  listen(listener: () => void): () => void
  /** Grows with every change. */
  version(): number
}

export interface BrowserCall {
  /**
   * Joins the call of a room with microphone and camera, or without those that are false. Throws `forbidden` when the browser may
   * not use them, and `unavailable` when the call is full.
   */
  join(room: Room, media?: CallMedia): Promise<Call>
}

export const call: BrowserCall = {
  async join(room, { audio = true, video = true } = {}) {
    const { CallSession } = await import('./session.ts')
    return await CallSession.join(room, { audio, video }, (code, message) => new ApiError(code, message))
  },
}
