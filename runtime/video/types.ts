import type { ResultMethod } from '../kernel/calls.ts'

export type VideoStatus = 'pending' | 'processing' | 'ready' | 'error'

/** A video of the app. `pending`: nothing was uploaded yet. */
export interface Video {
  id: string
  name: string
  status: VideoStatus
  /** Null until it is ready. */
  seconds: number | null
  /** A picture of it, to show within an hour; null until it is ready. */
  posterUrl: string | null
  createdAt: string
}

/** A video and whose it is. */
export interface OwnedVideo extends Video {
  userId: string
}

/** The same for the operator. `userName` is null for a person who is being erased. */
export interface ListedVideo extends OwnedVideo {
  userName: string | null
}

export interface NewVideo {
  name: string
  /** By default the longest that the operator allows. */
  maxSeconds?: number
}

/** What is uploaded to an address, once and within half an hour: a form with the field `file`. */
export interface VideoUpload {
  id: string
  uploadUrl: string
}

/** A page that plays a video. With a link of the app it opens within an hour. */
export interface VideoPlayer {
  url: string
}

/** Who asks: the person of a session, or server code (null), which may see all. */
interface Asking {
  session: string | null
}

/** Calls of the app's worker about its videos. Methods are added, never changed: older releases call them. */
export interface VideoCalls {
  create: {
    ask: { session: string; name: string; maxSeconds: number | null; host: string }
    answer: VideoUpload
  }
  /** The newest of a person, or of `userId`. */
  list: { ask: Asking & { userId: string | null }; answer: OwnedVideo[] }
  get: { ask: Asking & { id: string }; answer: OwnedVideo }
  player: { ask: Asking & { id: string }; answer: VideoPlayer }
  remove: { ask: Asking & { id: string }; answer: null }
}

/** What the app's worker may call of the videos. */
export interface VideoBinding {
  videos: ResultMethod<VideoCalls>
}

/** Calls of a directory about the videos of a tier. */
export interface VideoObjectCalls {
  /** Stores an upload that was made at the provider; false: its person is not there. */
  add: { ask: AddedVideo; answer: boolean }
  list: { ask: { userId: string | null; limit: number }; answer: OwnedVideo[] }
  /** A video as it stands now; null: there is none. */
  get: { ask: { id: string }; answer: OwnedVideo | null }
  /** How many uploads of a person wait. */
  waiting: { ask: { userId: string }; answer: number }
  count: { ask: { userId: string }; answer: number }
  remove: { ask: { id: string }; answer: void }
  removeOf: { ask: { userId: string }; answer: void }
}

export interface AddedVideo {
  id: string
  userId: string
  name: string
  /** Of the budget. */
  reservation: string
}
