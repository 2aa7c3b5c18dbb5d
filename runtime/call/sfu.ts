import type { Transport, TransportOptions } from './transport.ts'
import type { CallTrack } from './types.ts'

interface Pulled {
  peer: string
  track: CallTrack
  /** Null: asked for. */
  mid: string | null
}

/** A call in which each page sends once to the account's media server, which sends it to the others. */
export class Sfu implements Transport {
  readonly mode = 'sfu'
  readonly #options: TransportOptions
  readonly #pc: RTCPeerConnection
  readonly #sent = new Map<CallTrack, RTCRtpTransceiver>()
  readonly #pulled = new Map<string, Pulled>()
  #last: Promise<void>
  #isClosed = false

  constructor(options: TransportOptions) {
    this.#options = options
    this.#pc = new RTCPeerConnection({ iceServers: options.iceServers(), bundlePolicy: 'max-bundle' })
    this.#pc.ontrack = ({ track, transceiver }) => {
      const pulled = [...this.#pulled.values()].find(({ mid }) => mid === transceiver.mid)
      if (pulled !== undefined) options.arrived(pulled.peer, pulled.track, track)
    }
    this.#last = options.room.rtc.ask('session', null).then(
      () => {},
      (error: unknown) => options.failed(error),
    )
  }

  sync(): void {
    const wanted = new Map<string, Pulled>()
    for (const { id, call } of this.#options.members())
      for (const track of call?.tracks ?? []) wanted.set(`${id} ${track}`, { peer: id, track, mid: null })
    const gone = [...this.#pulled].filter(([key]) => !wanted.has(key))
    const fresh = [...wanted].filter(([key]) => !this.#pulled.has(key))
    for (const [key] of gone) this.#pulled.delete(key)
    for (const [key, one] of fresh) this.#pulled.set(key, one)
    const mids = gone.flatMap(([, { mid }]) => mid ?? [])
    if (mids.length > 0) void this.#inOrder(() => this.#options.room.rtc.ask('close', { mids }))
    if (fresh.length > 0) void this.#inOrder(() => this.#pull(fresh))
  }

  local(): Promise<void> {
    return this.#inOrder(() => this.#publish())
  }

  close(): void {
    this.#isClosed = true
    this.#pc.close()
  }

  /** The server and the page change their descriptions one after the other. */
  #inOrder(work: () => Promise<unknown>): Promise<void> {
    this.#last = this.#last.then(async () => {
      if (this.#isClosed) return
      try {
        await work()
      } catch (error) {
        if (!this.#isClosed) this.#options.failed(error)
      }
    })
    return this.#last
  }

  async #publish(): Promise<void> {
    const { tracks } = this.#options.local()
    const fresh: CallTrack[] = []
    for (const [kind, transceiver] of this.#sent)
      await transceiver.sender.replaceTrack(tracks.get(kind) ?? null)
    for (const [kind, track] of tracks) {
      if (this.#sent.has(kind)) continue
      this.#sent.set(kind, this.#pc.addTransceiver(track, { direction: 'sendonly' }))
      fresh.push(kind)
    }
    if (fresh.length === 0) return
    await this.#pc.setLocalDescription(await this.#pc.createOffer())
    const { sdp } = await this.#options.room.rtc.ask('publish', {
      sdp: this.#pc.localDescription?.sdp ?? '',
      tracks: fresh.map((track) => ({ mid: this.#sent.get(track)?.mid ?? '', track })),
    })
    await this.#pc.setRemoteDescription({ type: 'answer', sdp })
  }

  async #pull(fresh: [key: string, pulled: Pulled][]): Promise<void> {
    const tracks = fresh
      .filter(([key]) => this.#pulled.has(key))
      .map(([, { peer, track }]) => ({ peer, track }))
    if (tracks.length === 0) return
    try {
      const answer = await this.#options.room.rtc.ask('pull', { tracks })
      for (const { peer, track, mid } of answer.tracks) {
        const pulled = this.#pulled.get(`${peer} ${track}`)
        if (pulled !== undefined) pulled.mid = mid
      }
      if (answer.sdp === null) return
      await this.#pc.setRemoteDescription({ type: 'offer', sdp: answer.sdp })
      await this.#pc.setLocalDescription(await this.#pc.createAnswer())
      await this.#options.room.rtc.ask('answer', { sdp: this.#pc.localDescription?.sdp ?? '' })
    } finally {
      // What did not come is asked for again with the next change.
      for (const [key, one] of fresh)
        if (one.mid === null && this.#pulled.get(key) === one) this.#pulled.delete(key)
    }
  }
}
