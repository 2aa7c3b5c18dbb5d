import type { Transport, TransportOptions } from './transport.ts'
import type { CallTrack } from './types.ts'

/** The description of a page has the addresses that it found within this time. */
const GATHER_MS = 2000
/** As long as the server waits for a connection. Before it stands, nothing else may be asked of the session. */
const CONNECT_MS = 5000
/** When tracks that did not come are asked for again: the server has none before its page sends some of it. */
const AGAIN_MS = [1000, 2000, 4000, 8000]

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
  #session: Promise<null> | null = null
  #last = Promise.resolve()
  #misses = 0
  #again: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(options: TransportOptions) {
    this.#options = options
    this.#pc = new RTCPeerConnection({ iceServers: options.iceServers(), bundlePolicy: 'max-bundle' })
    this.#pc.ontrack = ({ track, transceiver }) => {
      const pulled = [...this.#pulled.values()].find(({ mid }) => mid === transceiver.mid)
      if (pulled !== undefined) options.arrived(pulled.peer, pulled.track, track)
    }
    this.#pc.onconnectionstatechange = () => {
      if (this.#pc.connectionState === 'failed') options.lost()
    }
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
    clearTimeout(this.#again)
    this.#pc.close()
  }

  /** Only once there is something to carry: a session that does not connect expires. */
  async #begin(): Promise<void> {
    this.#session ??= this.#options.room.rtc.ask('session', null)
    try {
      await this.#session
    } catch (error) {
      this.#session = null
      throw error
    }
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
    const ended: string[] = []
    for (const [kind, transceiver] of this.#sent) {
      const track = tracks.get(kind) ?? null
      await transceiver.sender.replaceTrack(track)
      if (track !== null) continue
      // The server forgets a track that sends nothing for 30 seconds, so the next one of its kind is a new one.
      this.#sent.delete(kind)
      ended.push(transceiver.mid ?? '')
    }
    if (ended.length > 0) await this.#options.room.rtc.ask('close', { mids: ended })
    for (const [kind, track] of tracks) {
      if (this.#sent.has(kind)) continue
      this.#sent.set(kind, this.#pc.addTransceiver(track, { direction: 'sendonly' }))
      fresh.push(kind)
    }
    if (fresh.length === 0) return
    try {
      await this.#begin()
      await this.#pc.setLocalDescription(await this.#pc.createOffer())
      await this.#gathered()
      const { sdp } = await this.#options.room.rtc.ask('publish', {
        sdp: this.#pc.localDescription?.sdp ?? '',
        tracks: fresh.map((track) => ({ mid: this.#sent.get(track)?.mid ?? '', track })),
      })
      await this.#pc.setRemoteDescription({ type: 'answer', sdp })
    } catch (error) {
      // Sent again with the next change, in an offer of its own.
      for (const kind of fresh) {
        this.#sent.get(kind)?.stop()
        this.#sent.delete(kind)
      }
      if (this.#pc.signalingState === 'have-local-offer')
        await this.#pc.setLocalDescription({ type: 'rollback' })
      throw error
    }
    await this.#connected()
  }

  async #pull(fresh: [key: string, pulled: Pulled][]): Promise<void> {
    const tracks = fresh
      .filter(([key]) => this.#pulled.has(key))
      .map(([, { peer, track }]) => ({ peer, track }))
    if (tracks.length === 0) return
    let failure: unknown = null
    try {
      await this.#begin()
      const answer = await this.#options.room.rtc.ask('pull', { tracks })
      for (const { peer, track, mid } of answer.tracks) {
        const pulled = this.#pulled.get(`${peer} ${track}`)
        if (pulled !== undefined) pulled.mid = mid
      }
      // Null: the server has none of these tracks yet.
      if (answer.sdp !== null) {
        await this.#pc.setRemoteDescription({ type: 'offer', sdp: answer.sdp })
        await this.#pc.setLocalDescription(await this.#pc.createAnswer())
        await this.#gathered()
        await this.#options.room.rtc.ask('answer', { sdp: this.#pc.localDescription?.sdp ?? '' })
        await this.#connected()
      }
    } catch (error) {
      failure = error
    }
    const missed = fresh.filter(([key, one]) => one.mid === null && this.#pulled.get(key) === one)
    for (const [key] of missed) this.#pulled.delete(key)
    this.#misses = missed.length === 0 ? 0 : this.#misses + 1
    clearTimeout(this.#again)
    if (this.#isClosed) return
    const waitMs = AGAIN_MS[this.#misses - 1]
    if (waitMs !== undefined) this.#again = setTimeout(() => this.sync(), waitMs)
    // After the last time they are asked for with the next change.
    else if (failure !== null) throw failure
  }

  #gathered(): Promise<void> {
    const pc = this.#pc
    return within(GATHER_MS, pc, 'icegatheringstatechange', () => pc.iceGatheringState === 'complete')
  }

  #connected(): Promise<void> {
    const pc = this.#pc
    return within(CONNECT_MS, pc, 'connectionstatechange', () => pc.connectionState === 'connected')
  }
}

/** Resolves once an event of the connection has made it so, and after `timeoutMs` in any case. */
function within(
  timeoutMs: number,
  pc: RTCPeerConnection,
  event: keyof RTCPeerConnectionEventMap,
  isSo: () => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    if (isSo()) return resolve()
    const timer = setTimeout(resolve, timeoutMs)
    pc.addEventListener(event, () => {
      if (!isSo()) return
      clearTimeout(timer)
      resolve()
    })
  })
}
