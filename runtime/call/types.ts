export type CallTrack = 'audio' | 'video' | 'screen'

/** `mesh`: every browser sends to every other browser. `sfu`: each browser sends once, to a media server that forwards to the others. */
export type CallMode = 'mesh' | 'sfu'

export interface CallParticipation {
  mode: CallMode
  /** The tracks that others can receive from this page. */
  tracks: CallTrack[]
  /** The entries of `tracks` that are silent or dark now. */
  muted: CallTrack[]
}

/** What the room stores about a participant of the call. The pages of other participants never get the session id. */
export interface CallParticipantState extends CallParticipation {
  /** The peer's session at the media server. */
  session?: string
  /** When the call began, and when this peer joined it: milliseconds since 1970. */
  startedMs: number
  joinedMs: number
}

/**
 * A room that may have a call. `place` is the Durable Object that hosts the room, and `atMs` is when that
 * object reported the call.
 */
export interface CallLocation {
  place: string
  room: string
  atMs: number
}

export interface RunningCall {
  /** `room` is the room's name in `app.json`; `id` distinguishes the rooms of that name. */
  room: string
  id: string
  /** Null for a room that belongs to no person or team. */
  partition: string | null
  mode: CallMode
  startedAt: string
  people: {
    /** Null for a visitor. */
    userId: string | null
    name: string | null
    joinedAt: string
    tracks: CallTrack[]
    muted: CallTrack[]
  }[]
}

export interface IceServer {
  urls: string[]
  username?: string
  credential?: string
}

/** Requests of a page about its call. A page never sends a session id: the room knows the session of each page. */
export interface CallRequests {
  join: { ask: null; answer: { audioOnly: boolean; iceServers: IceServer[] } }
  leave: { ask: null; answer: null }
  update: { ask: { tracks: CallTrack[]; muted: CallTrack[] }; answer: null }
  /** Returns ICE servers for a later connection. */
  ice: { ask: null; answer: { iceServers: IceServer[] } }
  /** Begins a session at the media server, which replaces an earlier session. */
  session: { ask: null; answer: null }
  publish: { ask: { sdp: string; tracks: { mid: string; track: CallTrack }[] }; answer: { sdp: string } }
  /**
   * Requests tracks of other pages. `sdp` is the offer to answer (null while the server has none of the tracks); `mid` identifies where a
   * track arrives.
   */
  pull: {
    ask: { tracks: { peer: string; track: CallTrack }[] }
    answer: { sdp: string | null; tracks: { peer: string; track: CallTrack; mid: string }[] }
  }
  answer: { ask: { sdp: string }; answer: null }
  close: { ask: { mids: string[] }; answer: null }
}

export type CallClientFrame = {
  [Kind in keyof CallRequests]: { type: 'call'; ref: string; kind: Kind; ask: CallRequests[Kind]['ask'] }
}[keyof CallRequests]

/** A message from one page to another. The room forwards it and does not store it. */
export interface Signal {
  description?: { type: 'offer' | 'answer' | 'pranswer' | 'rollback'; sdp?: string | undefined } | null
  candidate?: object | null
  /** The id of the stream with the sender's screen. Any other stream is camera and microphone. */
  screen?: string | null
}
