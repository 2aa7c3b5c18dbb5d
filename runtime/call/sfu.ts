import type { Transport, TransportOptions } from './transport.ts'
import type { CallRequests, CallTrack } from './types.ts'

/** How long this page gathers its network addresses (ICE candidates) for its session description. */
const ICE_GATHERING_MS_MAX = 2000
/** How long the media server waits for a connection. Until then it accepts no other request for the session. */
const CONNECT_MS = 5000
/**
 * Pauses before missing tracks are requested again: the server has a track only once its page sends it. A request that still fails after
 * the fourth pause is reported as a failure. The last pause is repeated.
 */
const RETRY_PAUSES_MS = [1000, 2000, 4000, 8000, 30_000]

interface PulledTrack {
  peer: string
  track: CallTrack
  /** Null until the server has assigned it. */
  mid: string | null
}

export class SfuTransport implements Transport {
  readonly mode = 'sfu'
  readonly #options: TransportOptions
  readonly #peerConnection: RTCPeerConnection
  readonly #sentTracks = new Map<CallTrack, RTCRtpTransceiver>()
  readonly #pulledTracks = new Map<string, PulledTrack>()
  /** Tracks that the server did not have or did not return. They are requested again only after the pause, whatever happens in the room. */
  readonly #missedKeys = new Set<string>()
  #missCount = 0
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #failures: { pull: unknown; publish: unknown } = { pull: null, publish: null }
  #session: Promise<null> | null = null
  #lastWork = Promise.resolve()
  /** Settles the promise of `#untilEvent`. At most one such promise is pending, because all work runs in order. */
  #endWait = () => {}
  #wasConnected = false
  #isClosed = false

  constructor(options: TransportOptions) {
    this.#options = options
    this.#peerConnection = new RTCPeerConnection({
      iceServers: options.iceServers(),
      bundlePolicy: 'max-bundle',
    })
    this.#peerConnection.ontrack = ({ track, transceiver }) => {
      const pulled = [...this.#pulledTracks.values()].find(({ mid }) => mid === transceiver.mid)
      if (pulled !== undefined) options.arrived(pulled.peer, pulled.track, track)
    }
    this.#peerConnection.onconnectionstatechange = () => {
      const { connectionState } = this.#peerConnection
      if (connectionState === 'connected') this.#wasConnected = true
      if (connectionState === 'failed') options.lost(this.#wasConnected)
    }
  }

  sync(): void {
    const wanted = new Map<string, PulledTrack>()
    for (const { id, call } of this.#options.members())
      for (const track of call?.tracks ?? []) wanted.set(`${id} ${track}`, { peer: id, track, mid: null })
    const gone = [...this.#pulledTracks].filter(([key]) => !wanted.has(key))
    const isLess = [...this.#missedKeys].some((key) => !wanted.has(key))
    for (const key of this.#missedKeys) if (!wanted.has(key)) this.#missedKeys.delete(key)
    const fresh = [...wanted].filter(([key]) => !this.#pulledTracks.has(key) && !this.#missedKeys.has(key))
    for (const [key] of gone) this.#pulledTracks.delete(key)
    for (const [key, one] of fresh) this.#pulledTracks.set(key, one)
    const mids = gone.flatMap(([, { mid }]) => mid ?? [])
    if (mids.length > 0) void this.#enqueue('pull', () => this.#closeTracks(mids))
    if (fresh.length > 0 || isLess) void this.#enqueue('pull', () => this.#pullTracks(fresh))
  }

  local(): Promise<void> {
    return this.#enqueue('publish', () => this.#publishTracks())
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retryTimer)
    this.#endWait()
    this.#peerConnection.close()
  }

  /**
   * Sends a request to the room. Rejects when this transport is closed, because the media session of the page
   * may then belong to another transport.
   */
  async #askRoom<Kind extends keyof CallRequests>(
    kind: Kind,
    ask: CallRequests[Kind]['ask'],
  ): Promise<CallRequests[Kind]['answer']> {
    if (this.#isClosed) throw new Error('The transport is closed.')
    return await this.#options.room.rtc.ask(kind, ask)
  }

  /** Ends tracks at the media server. A failure is harmless, because the server drops a track that sends nothing for 30 seconds. */
  async #closeTracks(mids: string[]): Promise<void> {
    if (mids.length > 0) await this.#askRoom('close', { mids }).catch(() => {})
  }

  /** Creates a session. Called only when there are tracks, because a session that never connects expires. */
  async #createSession(): Promise<void> {
    this.#session ??= this.#askRoom('session', null)
    await this.#session
  }

  /** Runs `work` after all earlier work, because server and page must change their session descriptions alternately. */
  #enqueue(part: 'pull' | 'publish', work: () => Promise<unknown>): Promise<void> {
    this.#lastWork = this.#lastWork.then(async () => {
      if (this.#isClosed) return
      try {
        await work()
      } catch (error) {
        this.#reportFailure(part, error)
      }
      // A session without tracks never connects and expires, so create a new one next time.
      if (this.#peerConnection.remoteDescription === null) this.#session = null
    })
    return this.#lastWork
  }

  /** Reports a failure of `part` once. A null `error` reports that the part works again. */
  #reportFailure(part: 'pull' | 'publish', error: unknown): void {
    if (this.#isClosed || this.#failures[part] === error) return
    this.#failures[part] = error
    this.#options.failed(this.#failures.publish ?? this.#failures.pull)
  }

  async #publishTracks(): Promise<void> {
    const { tracks } = this.#options.local()
    const fresh: CallTrack[] = []
    const ended: string[] = []
    for (const [kind, transceiver] of this.#sentTracks) {
      const track = tracks.get(kind)
      if (track !== undefined) {
        await transceiver.sender.replaceTrack(track)
        continue
      }
      // The server drops a track that sends nothing for 30 seconds, so audio or video that resumes needs a new track. Stopping the
      // transceiver frees its section of the session description, which would otherwise grow.
      ended.push(transceiver.mid ?? '')
      transceiver.stop()
      this.#sentTracks.delete(kind)
    }
    await this.#closeTracks(ended)
    for (const [kind, track] of tracks) {
      if (this.#sentTracks.has(kind)) continue
      this.#sentTracks.set(kind, this.#peerConnection.addTransceiver(track, { direction: 'sendonly' }))
      fresh.push(kind)
    }
    if (fresh.length === 0) return this.#reportFailure('publish', null)
    try {
      await this.#createSession()
      await this.#peerConnection.setLocalDescription(await this.#peerConnection.createOffer())
      await this.#iceGathered()
      const { sdp } = await this.#askRoom('publish', {
        sdp: this.#peerConnection.localDescription?.sdp ?? '',
        tracks: fresh.map((track) => ({ mid: this.#sentTracks.get(track)?.mid ?? '', track })),
      })
      await this.#peerConnection.setRemoteDescription({ type: 'answer', sdp })
    } catch (error) {
      // Remove the tracks that failed, so that the next change sends each again in a new offer.
      for (const kind of fresh) {
        this.#sentTracks.get(kind)?.stop()
        this.#sentTracks.delete(kind)
      }
      if (this.#peerConnection.signalingState === 'have-local-offer')
        await this.#peerConnection.setLocalDescription({ type: 'rollback' })
      throw error
    }
    this.#reportFailure('publish', null)
    await this.#untilConnected()
  }

  async #pullTracks(fresh: [key: string, pulled: PulledTrack][]): Promise<void> {
    let failure: unknown = null
    try {
      await this.#receiveTracks(
        fresh.filter(([key, one]) => this.#pulledTracks.get(key) === one).map(([, one]) => one),
      )
    } catch (error) {
      failure = error
      for (const [, one] of fresh) one.mid = null
    }
    if (this.#isClosed) return
    const missed = fresh.filter(([key, one]) => one.mid === null && this.#pulledTracks.get(key) === one)
    for (const [key] of missed) {
      this.#pulledTracks.delete(key)
      this.#missedKeys.add(key)
    }
    if (this.#missedKeys.size === 0) {
      clearTimeout(this.#retryTimer)
      this.#retryTimer = undefined
      this.#missCount = 0
      this.#reportFailure('pull', null)
    } else if (this.#retryTimer === undefined) {
      this.#retryTimer = setTimeout(
        () => this.#retryMissed(),
        RETRY_PAUSES_MS[this.#missCount] ?? RETRY_PAUSES_MS.at(-1),
      )
      this.#missCount++
    }
    if (failure !== null && this.#missCount >= RETRY_PAUSES_MS.length) throw failure
  }

  async #receiveTracks(wanted: PulledTrack[]): Promise<void> {
    if (wanted.length === 0) return
    await this.#createSession()
    const tracks = wanted.map(({ peer, track }) => ({ peer, track }))
    const answer = await this.#askRoom('pull', { tracks })
    /** Tracks that this page no longer wants: their peer left or removed them in the meantime. */
    const unwanted: string[] = []
    for (const { peer, track, mid } of answer.tracks) {
      const pulled = this.#pulledTracks.get(`${peer} ${track}`)
      if (pulled !== undefined && wanted.includes(pulled)) pulled.mid = mid
      else unwanted.push(mid)
    }
    // Null when the server has none of these tracks yet.
    if (answer.sdp === null) return
    await this.#peerConnection.setRemoteDescription({ type: 'offer', sdp: answer.sdp })
    await this.#peerConnection.setLocalDescription(await this.#peerConnection.createAnswer())
    await this.#iceGathered()
    await this.#askRoom('answer', { sdp: this.#peerConnection.localDescription?.sdp ?? '' })
    await this.#untilConnected()
    await this.#closeTracks(unwanted)
  }

  #retryMissed(): void {
    this.#retryTimer = undefined
    this.#missedKeys.clear()
    this.sync()
  }

  #iceGathered(): Promise<void> {
    const isSo = () => this.#peerConnection.iceGatheringState === 'complete'
    return this.#untilEvent(ICE_GATHERING_MS_MAX, 'icegatheringstatechange', isSo)
  }

  #untilConnected(): Promise<void> {
    return this.#untilEvent(
      CONNECT_MS,
      'connectionstatechange',
      () => this.#peerConnection.connectionState === 'connected',
    )
  }

  /** Resolves when an event of the connection makes `isSo` true, after `timeoutMs`, or when this transport is closed. */
  #untilEvent(timeoutMs: number, event: keyof RTCPeerConnectionEventMap, isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isClosed || isSo()) return resolve()
      const check = () => isSo() && this.#endWait()
      const timer = setTimeout(() => this.#endWait(), timeoutMs)
      this.#endWait = () => {
        clearTimeout(timer)
        this.#peerConnection.removeEventListener(event, check)
        resolve()
      }
      this.#peerConnection.addEventListener(event, check)
    })
  }
}
