import { ApiError, invalid } from '../kernel/errors.ts'
import { callProvider, type CallSettings, iceServersOf, mediaError, STUN_SERVER } from './provider.ts'
import { fieldsOf, requireShortText } from '../kernel/fields.ts'
import type { CallRequests, CallClientFrame, CallParticipantState, CallTrack, IceServer } from './types.ts'

/** Peers who join within this time get the same relay credentials, which are valid for an hour. */
const ICE_CACHE_MS = 300_000
/** The maximum number of tracks that the provider accepts in one request. */
const TRACKS_MAX = 64
/** The ids that browsers give to the parts of a session description are short numbers. */
const MID_CHARS_MAX = 100
const TRACK_KINDS: readonly unknown[] = ['audio', 'video', 'screen']

export interface CallPage {
  readonly peer: string
  readonly call: CallParticipantState | undefined
  /** Stores the page's state in the call (undefined: not in it) and sends it to the other pages, unless `isQuiet`. */
  set(call: CallParticipantState | undefined, isQuiet?: true): void
}

interface SfuTracks {
  sessionDescription?: { sdp: string }
  tracks?: { mid?: string; trackName?: string; sessionId?: string; errorCode?: string }[]
}

/**
 * The audio and video calls of rooms: who is in them, and whether media goes from browser to browser or
 * through the media server. Only this class has the keys of the media server.
 */
export class RoomCalls {
  readonly #settings: CallSettings
  readonly #report: (error: unknown) => void
  #ice: { servers: IceServer[]; at: number } | null = null

  constructor(settings: CallSettings, report: (error: unknown) => void) {
    this.#settings = settings
    this.#report = report
  }

  /** Throws `not_found` unless both pages are in the call. Rejects video where calls are audio only. `data` comes unchecked from a page. */
  requireSignal(
    from: CallParticipantState | undefined,
    to: CallParticipantState | undefined,
    data: unknown,
  ): void {
    if (from === undefined || to === undefined)
      throw new ApiError('not_found', 'This peer is not in the call.')
    // Search the whole signal, because a browser also converts a list with an offer to text.
    if (this.#settings.audioOnly && JSON.stringify(data ?? null).includes('m=video')) throw soundOnly('data')
  }

  /**
   * Handles a page's request about its call. Throws the error for the page and reports its cause, which only the operator may see. `others`
   * returns the other pages of the room.
   */
  async answer(me: CallPage, others: () => CallPage[], frame: CallClientFrame): Promise<unknown> {
    try {
      return await this.#answerRequest(me, others, frame)
    } catch (error) {
      if (error instanceof ApiError && error.cause !== undefined) this.#report(error.cause)
      throw error
    }
  }

  async #answerRequest(
    me: CallPage,
    others: () => CallPage[],
    { kind, ask }: CallClientFrame,
  ): Promise<unknown> {
    const given = fieldsOf(ask)
    if (kind === 'join') {
      // Fetch before the other pages learn of this page, because those pages then send to this page at once.
      const iceServers = await this.#iceServers()
      this.#joinCall(me, others())
      return { audioOnly: this.#settings.audioOnly, iceServers }
    }
    if (me.call === undefined) throw new ApiError('conflict', 'Join the call first.')
    if (kind === 'leave') return toNull(me.set(undefined))
    if (kind === 'update')
      return toNull(me.set({ ...me.call, ...this.#validTracks(given['tracks'], given['muted']) }))
    if (kind === 'ice') return { iceServers: await this.#iceServers() }
    const { sfu } = this.#settings
    if (sfu === null || me.call.mode !== 'sfu')
      throw new ApiError('conflict', 'This call runs between the browsers.')
    if (kind === 'session') {
      const { sessionId } = await callProvider<{ sessionId?: unknown }>(sfu, 'POST', 'sessions/new')
      if (typeof sessionId !== 'string') throw mediaError('session', 'no session id')
      if (me.call !== undefined) me.set({ ...me.call, session: sessionId }, true)
      return null
    }
    const session = me.call.session
    if (session === undefined) throw new ApiError('conflict', 'Begin a session first.')
    const below = `sessions/${session}`
    if (kind === 'pull')
      return await this.#pullTracks(sfu, below, others(), requireList('tracks', given['tracks']))
    if (kind === 'publish') {
      const tracks = requireList('tracks', given['tracks'])
        .map(fieldsOf)
        .map(({ mid, track }) => ({ location: 'local', mid, trackName: this.#requireTrack(track) }))
      const sessionDescription = { type: 'offer', sdp: given['sdp'] }
      const answer = await callProvider<SfuTracks>(sfu, 'POST', `${below}/tracks/new`, {
        sessionDescription,
        tracks,
      })
      const failed = answer.tracks?.find(({ errorCode }) => errorCode !== undefined)
      if (failed !== undefined) throw mediaError('publish', failed.errorCode ?? '')
      return { sdp: answer.sessionDescription?.sdp }
    }
    if (kind === 'answer') {
      const sessionDescription = { type: 'answer', sdp: given['sdp'] }
      return toNull(await callProvider(sfu, 'PUT', `${below}/renegotiate`, { sessionDescription }))
    }
    const tracks = requireList('mids', given['mids']).map((mid) => ({
      mid: requireShortText('mids', mid, MID_CHARS_MAX),
    }))
    return toNull(await callProvider(sfu, 'PUT', `${below}/tracks/close`, { tracks, force: true }))
  }

  #joinCall(me: CallPage, others: CallPage[]): void {
    const { mode, meshMax, maxPeers, sfu } = this.#settings
    if (mode === 'sfu' && sfu === null)
      throw new ApiError('unavailable', 'Calls through the account are not set up.')
    const members = others.filter(({ call }) => call !== undefined)
    const canMove = mode !== 'mesh' && sfu !== null
    if (members.length >= (canMove ? maxPeers : Math.min(maxPeers, meshMax)))
      throw new ApiError('unavailable', 'The call is full.')
    const isMoved = members.some(({ call }) => call?.mode === 'sfu')
    const isSfu = mode === 'sfu' || isMoved || members.length >= meshMax
    // The call switches to the media server. Clear the tracks of the other pages: each page announces its tracks again once it has
    // published them there.
    if (isSfu)
      for (const one of members)
        if (one.call?.mode === 'mesh') one.set({ ...one.call, mode: 'sfu', tracks: [] })
    const joinedMs = Date.now()
    const startedMs = members[0]?.call?.startedMs ?? joinedMs
    me.set({ mode: isSfu ? 'sfu' : 'mesh', tracks: [], muted: [], startedMs, joinedMs })
  }

  async #pullTracks(
    sfu: NonNullable<CallSettings['sfu']>,
    below: string,
    others: CallPage[],
    asked: readonly unknown[],
  ): Promise<CallRequests['pull']['answer']> {
    // A peer that has just left is skipped; the other tracks are still requested.
    const wanted = asked.map(fieldsOf).flatMap(({ peer: id, track }) => {
      const { peer = '', call } = others.find((one) => one.peer === id) ?? {}
      const sessionId = call?.session
      return sessionId === undefined ? [] : [{ peer, sessionId, track: this.#requireTrack(track) }]
    })
    if (wanted.length === 0) throw new ApiError('not_found', 'This peer is not in the call.')
    const tracks = wanted.map(({ sessionId, track }) => ({ location: 'remote', sessionId, trackName: track }))
    const answer = await callProvider<SfuTracks>(sfu, 'POST', `${below}/tracks/new`, { tracks })
    const arriving = wanted.flatMap(({ peer, sessionId, track }) => {
      const found = answer.tracks?.find((one) => one.sessionId === sessionId && one.trackName === track)
      return found?.mid === undefined || found.errorCode !== undefined
        ? []
        : [{ peer, track, mid: found.mid }]
    })
    return { sdp: answer.sessionDescription?.sdp ?? null, tracks: arriving }
  }

  async #iceServers(): Promise<IceServer[]> {
    const now = Date.now()
    if (this.#ice === null || now - this.#ice.at > ICE_CACHE_MS) {
      try {
        this.#ice = { servers: await iceServersOf(this.#settings), at: now }
      } catch (error) {
        // A call can work without relays, so report the failure and continue.
        this.#report(error instanceof ApiError ? error.cause : error)
        return [STUN_SERVER]
      }
    }
    return this.#ice.servers
  }

  #validTracks(tracks: unknown, muted: unknown): Pick<CallParticipantState, 'tracks' | 'muted'> {
    const requireTracks = (list: unknown) =>
      [...new Set(requireList('tracks', list))].map((one) => this.#requireTrack(one))
    return { tracks: requireTracks(tracks), muted: requireTracks(muted) }
  }

  #requireTrack(given: unknown): CallTrack {
    if (!isTrack(given)) throw invalid('tracks', 'must be audio, video or screen')
    if (this.#settings.audioOnly && given !== 'audio') throw soundOnly('tracks')
    return given
  }
}

/** Returns the list that a page sent. Throws when it is not a list, contains null, or has more than `TRACKS_MAX` entries. */
function requireList(field: string, given: unknown): readonly unknown[] {
  if (Array.isArray(given) && given.length <= TRACKS_MAX && !given.includes(null)) return given
  throw invalid(field, `must be a list of at most ${TRACKS_MAX}`)
}

const isTrack = (value: unknown): value is CallTrack => TRACK_KINDS.includes(value)

const soundOnly = (field: string) => invalid(field, 'this app has calls with sound only')

const toNull = (_result: unknown): null => null
