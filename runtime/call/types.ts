export type CallTrack = 'audio' | 'video' | 'screen'

/** `mesh`: every browser sends to every other one. `sfu`: each sends once, and the account's media server to the others. */
export type CallMode = 'mesh' | 'sfu'

export interface InCall {
  mode: CallMode
  /** The tracks that others can take from it. */
  tracks: CallTrack[]
  /** Those of `tracks` that are silent or dark now. */
  muted: CallTrack[]
}

/** What the room keeps of a peer. The session stays secret from the other pages. */
export interface CallSeat extends InCall {
  /** The peer's session at the media server. */
  session?: string
  /** When the call began, and when this peer joined it: milliseconds since 1970. */
  startedMs: number
  joinedMs: number
}

/** A place where a call may be: the object that hosts its room, and when that object said so. */
export interface CallPlace {
  place: string
  room: string
  atMs: number
}

export interface RunningCall {
  /** `room` is its name in `app.json`, `id` says which of these rooms it is. */
  room: string
  id: string
  /** Null for a room that belongs to no person or team. */
  partition: string | null
  mode: CallMode
  startedAt: string
  people: {
    /** Null: a visitor. */
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

/** What a page asks of the room about its call. A page never names a session: the room knows whose is whose. */
export interface CallAsks {
  join: { ask: null; answer: { audioOnly: boolean; iceServers: IceServer[] } }
  leave: { ask: null; answer: null }
  update: { ask: { tracks: CallTrack[]; muted: CallTrack[] }; answer: null }
  /** Relays for a connection that is made later. */
  ice: { ask: null; answer: { iceServers: IceServer[] } }
  /** Begins a session at the media server, which replaces an earlier one. */
  session: { ask: null; answer: null }
  publish: { ask: { sdp: string; tracks: { mid: string; track: CallTrack }[] }; answer: { sdp: string } }
  /**
   * Asks for tracks of others. `sdp` is the offer to answer (null: the server has none of them yet), `mid` is where a track
   * arrives.
   */
  pull: {
    ask: { tracks: { peer: string; track: CallTrack }[] }
    answer: { sdp: string | null; tracks: { peer: string; track: CallTrack; mid: string }[] }
  }
  answer: { ask: { sdp: string }; answer: null }
  close: { ask: { mids: string[] }; answer: null }
}

export type CallFrameUp = {
  [Kind in keyof CallAsks]: { type: 'call'; ref: string; kind: Kind; ask: CallAsks[Kind]['ask'] }
}[keyof CallAsks]

/** A message from one page to another; their room passes it on and does not store it. */
export interface Signal {
  description?: { type: 'offer' | 'answer' | 'pranswer' | 'rollback'; sdp?: string | undefined } | null
  candidate?: object | null
  /** The stream in which the screen arrives; every other one is camera and microphone. */
  screen?: string | null
}
