import { negotiate } from './negotiation.ts'
import type { LocalMedia, Transport, TransportOptions } from './transport.ts'
import type { CallTrack, Signal } from './types.ts'

/**
 * How long to keep a connection to a page that the room does not announce. Such a page left the call within the 50 ms in which the room
 * collects changes, or its signal arrived after the page had left.
 */
const UNANNOUNCED_MS = 10_000

interface PeerLink {
  pc: RTCPeerConnection
  senders: Map<CallTrack, RTCRtpSender>
  take: (signal: Signal) => Promise<void>
  /** The id of the media stream in which the other page sends its screen. */
  screen: string | null
  /** False until the room says that the other page is in the call. The other page may send signals before that. */
  isMember: boolean
  /**
   * False while this page waits for the first offer of the other page. Only one side sends a first offer, because Chromium stops gathering
   * candidates when its first offer is rolled back.
   */
  isStarted: boolean
}

export class MeshTransport implements Transport {
  readonly mode = 'mesh'
  readonly #options: TransportOptions
  readonly #links = new Map<string, PeerLink>()
  readonly #stopListening: () => void

  constructor(options: TransportOptions) {
    this.#options = options
    this.#stopListening = options.room.rtc.listen((from, data) => void this.#receiveSignal(from, data))
  }

  sync(): void {
    const members = new Set(this.#options.members().map(({ id }) => id))
    for (const [id, link] of this.#links) if (!members.has(id) && link.isMember) this.#closeLink(id, link)
    for (const id of members) this.#linkTo(id).isMember = true
  }

  local(): Promise<void> {
    for (const link of this.#links.values()) this.#sendTracks(link)
    return Promise.resolve()
  }

  close(): void {
    this.#stopListening()
    for (const { pc } of this.#links.values()) pc.close()
    this.#links.clear()
  }

  async #receiveSignal(from: string, data: Signal): Promise<void> {
    const link = this.#linkTo(from)
    if (data.screen !== undefined) link.screen = data.screen
    await link.take(data)
    if (link.isStarted || data.description == null || this.#links.get(from) !== link) return
    link.isStarted = true
    this.#sendTracks(link)
  }

  #linkTo(id: string): PeerLink {
    const known = this.#links.get(id)
    if (known !== undefined) return known
    const { room, me, iceServers, arrived, local } = this.#options
    const pc = new RTCPeerConnection({ iceServers: iceServers() })
    const screen = local().screen.id
    // Both sides compare the same two ids, so exactly one of them is polite.
    const isPolite = me < id
    const take = negotiate(pc, {
      isPolite,
      send: (signal) => room.rtc.send(id, 'description' in signal ? { ...signal, screen } : signal),
    })
    const link: PeerLink = {
      pc,
      senders: new Map(),
      take,
      screen: null,
      isMember: false,
      isStarted: !isPolite,
    }
    pc.ontrack = ({ track, streams }) =>
      arrived(id, streams[0]?.id === link.screen ? 'screen' : (track.kind as CallTrack), track)
    this.#links.set(id, link)
    setTimeout(() => {
      if (!link.isMember) this.#closeLink(id, link)
    }, UNANNOUNCED_MS)
    // With no tracks there would be no offer. An empty data channel causes an offer.
    if (!isPolite) pc.createDataChannel('call')
    this.#sendTracks(link)
    return link
  }

  #closeLink(id: string, link: PeerLink): void {
    link.pc.close()
    if (this.#links.get(id) === link) this.#links.delete(id)
  }

  #sendTracks({ pc, senders, isStarted }: PeerLink): void {
    if (!isStarted) return
    const { tracks, camera, screen }: LocalMedia = this.#options.local()
    for (const [kind, track] of tracks) {
      const sender = senders.get(kind)
      if (sender === undefined) senders.set(kind, pc.addTrack(track, kind === 'screen' ? screen : camera))
      else if (sender.track !== track) void sender.replaceTrack(track)
    }
    for (const [kind, sender] of senders) {
      if (tracks.has(kind)) continue
      pc.removeTrack(sender)
      senders.delete(kind)
    }
  }
}
