import type { ApiError, ErrorCode } from '../kernel/errors.ts'
import type { Call, CallMedia, CallPeer, CallStatus } from './call.ts'
import { MeshTransport } from './mesh.ts'
import type { CallRoom } from './room.ts'
import { SfuTransport } from './sfu.ts'
import type { LocalMedia, Transport } from './transport.ts'
import type { CallMode, CallTrack, IceServer } from './types.ts'

/** Refetch ICE servers after this time, because relay credentials expire after an hour. */
const ICE_REFETCH_MS = 3_000_000
/** After this many failed connections in a row, assume that the network blocks all of them. */
const CONNECTION_LOSSES_MAX = 3

type CreateError = (code: ErrorCode, message: string) => ApiError

interface RemoteMedia {
  stream: MediaStream
  screen: MediaStream
}

/** The call of one page. Rejoins by itself after a lost connection to the room. */
export class CallSession implements Call {
  readonly #room: CallRoom
  /** Creates an `ApiError`. Passed in, so that this file, which is loaded as a separate chunk, does not import the class. */
  readonly #createError: CreateError
  readonly #listeners = new Set<() => void>()
  readonly #ownMedia: LocalMedia & { tracks: Map<CallTrack, MediaStreamTrack> } = {
    tracks: new Map(),
    camera: new MediaStream(),
    screen: new MediaStream(),
  }
  readonly #muted = new Set<CallTrack>()
  readonly #remoteMedia = new Map<string, RemoteMedia>()
  readonly #stopListening: () => void
  /** The peer id with which this page is in the call or joins it. */
  #ownPeerId: string | null = null
  #transport: Transport | null = null
  #ice: { servers: IceServer[]; at: number } = { servers: [], at: 0 }
  #isAudioOnly = false
  #lossCount = 0
  #status: CallStatus = 'joining'
  #error: ApiError | null = null
  #version = 0

  private constructor(room: CallRoom, refuse: CreateError) {
    this.#room = room
    this.#createError = refuse
    this.#stopListening = room.listen(() => this.#followRoom())
  }

  /** Resolves once the page is in the call with the given microphone and camera. Rejects when it cannot join. */
  static async join(room: CallRoom, media: CallMedia, refuse: CreateError): Promise<CallSession> {
    await room.join()
    const session = new CallSession(room, refuse)
    try {
      await session.#joinCall()
      await session.publish(media)
      return session
    } catch (error) {
      // End only the call: other components may use the room.
      session.leave()
      throw error
    }
  }

  readonly status = (): CallStatus => this.#status

  readonly error = (): ApiError | null => this.#error

  readonly mode = (): CallMode | null => this.#transport?.mode ?? null

  readonly local = (): MediaStream => this.#ownMedia.camera

  readonly screen = (): MediaStream | null =>
    this.#ownMedia.tracks.has('screen') ? this.#ownMedia.screen : null

  readonly isMuted = (kind: 'audio' | 'video'): boolean =>
    this.#muted.has(kind) || !this.#ownMedia.tracks.has(kind)

  readonly peers = (): CallPeer[] =>
    this.#membersOfMode().map(({ id, userId, presence, call }) => {
      const { stream, screen } = this.#mediaOf(id)
      const { tracks = [], muted = [] } = call ?? {}
      return {
        id,
        userId,
        presence,
        tracks,
        muted,
        stream,
        screen: tracks.includes('screen') ? screen : null,
      }
    })

  async publish({ audio, video }: CallMedia): Promise<void> {
    const wanted = {
      audio: audio ?? false,
      video: !this.#isAudioOnly && (video ?? false),
    }
    if (wanted.audio !== false || wanted.video !== false)
      for (const track of (await this.#captureMedia(wanted)).getTracks())
        this.#setOwnTrack(track.kind as CallTrack, track)
    if (audio === false) this.#stopOwnTrack('audio')
    if (video === false) this.#stopOwnTrack('video')
    await this.#sendLocal()
  }

  mute(kind: 'audio' | 'video', isMuted: boolean): void {
    if (isMuted) this.#muted.add(kind)
    else this.#muted.delete(kind)
    const track = this.#ownMedia.tracks.get(kind)
    if (track !== undefined) track.enabled = !isMuted
    void this.#publishTracks()
  }

  async shareScreen(isShared = true): Promise<void> {
    if (!isShared) this.#stopOwnTrack('screen')
    else if (this.#isAudioOnly) throw this.#createError('forbidden', 'This app has calls with sound only.')
    else {
      const stream = await this.#mediaDevices()
        .getDisplayMedia({ video: true })
        .catch((error: unknown) => Promise.reject(this.#captureError(error, 'the screen')))
      for (const track of stream.getVideoTracks()) this.#setOwnTrack('screen', track)
    }
    await this.#sendLocal()
  }

  async devices(): Promise<MediaDeviceInfo[]> {
    return await this.#mediaDevices().enumerateDevices()
  }

  leave(): void {
    if (this.#hasEnded) return
    this.#sendLeave()
    this.#endCall('left')
  }

  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly version = (): number => this.#version

  async #joinCall(): Promise<void> {
    this.#ownPeerId = this.#room.me()
    const { audioOnly, iceServers } = await this.#room.rtc.ask('join', null)
    // The page left during this request, so its `leave` may have arrived before `join` took effect. Send `leave` again.
    if (this.#hasEnded) return this.#sendLeave()
    this.#isAudioOnly = audioOnly
    this.#ice = { servers: iceServers, at: Date.now() }
    this.#status = 'live'
    this.#lossCount = 0
    // The room may already have sent the mode of the call.
    this.#followRoom()
    await this.#publishTracks()
  }

  #followRoom(): void {
    const me = this.#room.me()
    if (this.#hasEnded) return
    if (this.#room.status() === 'refused') return this.#endCall('refused', this.#room.error())
    if (this.#ownPeerId !== null && this.#ownPeerId !== me) {
      // After a reconnect to the room this page is a new peer, so it must join the call again.
      this.#closeTransport()
      this.#ownPeerId = null
      this.#status = 'joining'
    }
    if (this.#ownPeerId === null && me !== null && this.#status === 'joining') {
      this.#joinCall().catch((error: ApiError) => {
        // When the room has given this page a new peer id, the connection was lost meanwhile, and the page
        // rejoins with that id.
        if (this.#room.me() === me) this.#endCall('refused', error)
      })
    }
    const mode = this.#room.peers().find(({ id }) => id === me)?.call?.mode
    if (mode !== undefined && me !== null && this.#status === 'live') this.#connectTransport(mode, me)
    this.#notifyListeners()
  }

  #connectTransport(mode: CallMode, me: string): void {
    if (this.#transport?.mode !== mode) {
      this.#closeTransport()
      const Kind = mode === 'mesh' ? MeshTransport : SfuTransport
      this.#transport = new Kind({
        room: this.#room,
        me,
        iceServers: () => this.#iceServers(),
        local: () => this.#ownMedia,
        members: () => this.#membersOfMode(),
        arrived: (peer, kind, track) => this.#addRemoteTrack(peer, kind, track),
        failed: (error) => {
          this.#error = error as ApiError | null
          this.#notifyListeners()
        },
        lost: (wasConnected) => this.#handleLoss(wasConnected),
      })
      void this.#sendLocal()
    }
    this.#transport.sync()
  }

  #handleLoss(wasConnected: boolean): void {
    this.#lossCount = wasConnected ? 1 : this.#lossCount + 1
    if (this.#lossCount >= CONNECTION_LOSSES_MAX) {
      this.#sendLeave()
      const message = 'This network lets no call through. Try another one, or without a VPN.'
      return this.#endCall('refused', this.#createError('unavailable', message))
    }
    // First announce that this page sends no tracks: the other pages then drop its old tracks, and later request the new ones.
    this.#closeTransport()
    void this.#publishTracks()
    this.#followRoom()
  }

  #closeTransport(): void {
    this.#transport?.close()
    this.#transport = null
    this.#error = null
    this.#remoteMedia.clear()
  }

  /** Returns the peers of this transport. While a call switches between mesh and SFU, peers that have not switched are left out. */
  #membersOfMode() {
    const mode = this.#transport?.mode
    return this.#room
      .peers()
      .filter(({ id, call }) => id !== this.#ownPeerId && call !== undefined && call.mode === mode)
  }

  #iceServers(): IceServer[] {
    const { servers, at } = this.#ice
    if (Date.now() - at > ICE_REFETCH_MS) {
      this.#ice.at = Date.now()
      this.#room.rtc.ask('ice', null).then(
        ({ iceServers }) => (this.#ice.servers = iceServers),
        () => (this.#ice.at = 0),
      )
    }
    return servers
  }

  /** Announces tracks only after they are sent, so that the other pages can request them. */
  async #sendLocal(): Promise<void> {
    const transport = this.#transport
    await transport?.local()
    // If another transport has replaced this one, that transport announces the tracks of this page once it has sent them.
    if (this.#transport === transport) await this.#publishTracks()
  }

  async #publishTracks(): Promise<void> {
    this.#notifyListeners()
    if (this.#status !== 'live') return
    // Without a transport the other pages can receive nothing from this page.
    const tracks = this.#transport === null ? [] : [...this.#ownMedia.tracks.keys()]
    // Fails when the connection to the room is lost. The list of tracks is sent again after the page has rejoined.
    await this.#room.rtc.ask('update', { tracks, muted: [...this.#muted] }).catch(() => {})
  }

  #addRemoteTrack(peer: string, kind: CallTrack, track: MediaStreamTrack): void {
    const { stream, screen } = this.#mediaOf(peer)
    const into = kind === 'screen' ? screen : stream
    for (const known of into.getTracks()) if (known.kind === track.kind) into.removeTrack(known)
    into.addTrack(track)
    this.#notifyListeners()
  }

  #mediaOf(peer: string): RemoteMedia {
    const known = this.#remoteMedia.get(peer) ?? { stream: new MediaStream(), screen: new MediaStream() }
    this.#remoteMedia.set(peer, known)
    return known
  }

  #setOwnTrack(kind: CallTrack, track: MediaStreamTrack): void {
    // The person allowed the device only after the page had left the call, so turn the device off.
    if (this.#hasEnded) return track.stop()
    this.#stopOwnTrack(kind)
    this.#ownMedia.tracks.set(kind, track)
    const stream = kind === 'screen' ? this.#ownMedia.screen : this.#ownMedia.camera
    stream.addTrack(track)
    track.enabled = !this.#muted.has(kind)
    // Fires when the device is unplugged, or when the person ends sharing in the browser's own bar.
    track.addEventListener('ended', () => {
      if (this.#ownMedia.tracks.get(kind) !== track) return
      this.#stopOwnTrack(kind)
      void this.#sendLocal()
    })
  }

  get #hasEnded(): boolean {
    return this.#status === 'left' || this.#status === 'refused'
  }

  #stopOwnTrack(kind: CallTrack): void {
    const track = this.#ownMedia.tracks.get(kind)
    if (track === undefined) return
    this.#ownMedia.tracks.delete(kind)
    for (const stream of [this.#ownMedia.camera, this.#ownMedia.screen]) stream.removeTrack(track)
    track.stop()
  }

  async #captureMedia(wanted: MediaStreamConstraints): Promise<MediaStream> {
    const what =
      wanted.video === false
        ? 'the microphone'
        : wanted.audio === false
          ? 'the camera'
          : 'the camera and the microphone'
    return await this.#mediaDevices()
      .getUserMedia(wanted)
      .catch((error: unknown) => Promise.reject(this.#captureError(error, what)))
  }

  #mediaDevices(): MediaDevices {
    const devices = navigator.mediaDevices as MediaDevices | undefined
    if (devices !== undefined) return devices
    throw this.#createError('unavailable', 'Calls need a page that was loaded over https.')
  }

  #captureError(error: unknown, what: string): ApiError {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'NotAllowedError' || name === 'SecurityError')
      return this.#createError(
        'forbidden',
        `The browser may not use ${what}. Allow it beside the address and try again.`,
      )
    if (name === 'NotFoundError' || name === 'OverconstrainedError')
      return this.#createError('not_found', `This device has not ${what}.`)
    return this.#createError('unavailable', `Another program uses ${what}, or it does not work.`)
  }

  /** Leaves the call without closing the room, because other components may use the room. */
  #sendLeave(): void {
    this.#room.rtc.ask('leave', null).catch(() => {})
  }

  #endCall(status: 'left' | 'refused', error: ApiError | null = null): void {
    this.#stopListening()
    this.#closeTransport()
    for (const kind of this.#ownMedia.tracks.keys()) this.#stopOwnTrack(kind)
    this.#status = status
    this.#error = error
    this.#ownPeerId = null
    this.#room.leave()
    this.#notifyListeners()
  }

  #notifyListeners(): void {
    this.#version++
    for (const listener of this.#listeners) listener()
  }
}
