import type { ResultMethod } from '../kernel/objects/calls.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    video: VideoBinding
  }
}

export type VideoStatus = 'pending' | 'processing' | 'ready' | 'error'

/** A video of the app. `pending` means that nothing was uploaded yet. */
export interface Video {
  id: string
  name: string
  status: VideoStatus
  /** The duration in seconds; null until the video is ready. */
  seconds: number | null
  /** The address of a picture, valid for an hour; null until the video is ready. */
  posterUrl: string | null
  createdAt: string
}

export interface OwnedVideo extends Video {
  userId: string
}

/** `userName` is null for a person who is being erased. */
export interface ListedVideo extends OwnedVideo {
  userName: string | null
}

export interface NewVideo {
  name: string
  /** By default the longest duration that the operator allows. */
  maxSeconds?: number
}

/** `uploadUrl` accepts one upload within half an hour: a form with the field `file`. */
export interface VideoUpload {
  id: string
  uploadUrl: string
}

/** `url` is a page that plays the video. For a signed video it is valid for an hour. */
export interface VideoPlayer {
  url: string
}

/** `session` is null for server code, which may read all videos. */
interface VideoRequest {
  session: string | null
}

/**
 * RPC calls from the app's worker to the live worker about videos. Older releases, which a rollback restores,
 * use these names: add calls, never change one.
 */
export interface VideoCalls {
  create: {
    /** `name` and `maxSeconds` are unchecked. With null as `maxSeconds`, the longest duration that the operator allows applies. */
    ask: { session: string; name: unknown; maxSeconds: unknown; host: string }
    answer: VideoUpload
  }
  /** Returns the newest videos of the session's person, or of `userId`. */
  list: { ask: VideoRequest & { userId: unknown }; answer: OwnedVideo[] }
  get: { ask: VideoRequest & { id: string }; answer: OwnedVideo }
  player: { ask: VideoRequest & { id: string }; answer: VideoPlayer }
  remove: { ask: VideoRequest & { id: string }; answer: null }
}

export interface VideoBinding {
  videos: ResultMethod<VideoCalls>
}

export interface VideoObjectCalls {
  /** Stores an upload that was created at Stream. Returns false when the person who uploads does not exist. */
  add: { ask: AddedVideo; answer: boolean }
  list: { ask: { userId: string | null; limit: number }; answer: OwnedVideo[] }
  /** Returns a video in its current state; null when there is none. */
  get: { ask: { id: string }; answer: OwnedVideo | null }
  waiting: { ask: { userId: string }; answer: number }
  count: { ask: { userId: string }; answer: number }
  remove: { ask: { id: string }; answer: void }
  removeOf: { ask: { userId: string }; answer: void }
}

export interface AddedVideo {
  id: string
  userId: string
  name: string
  reservation: string
}
