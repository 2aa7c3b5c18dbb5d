import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type NegotiatingConnection, negotiate } from './negotiation.ts'
import type { Signal } from './types.ts'

/** Fakes the signaling states of WebRTC 1.0 without media. Descriptions are numbered strings. */
class FakeConnection {
  static made = 0
  signalingState: RTCSignalingState = 'stable'
  connectionState: RTCPeerConnectionState = 'new'
  localDescription: RTCSessionDescription | null = null
  onnegotiationneeded: ((event: Event) => unknown) | null = null
  onicecandidate: ((event: RTCPeerConnectionIceEvent) => unknown) | null = null
  onconnectionstatechange: (() => unknown) | null = null
  remote: string | null = null
  rolledBack = 0
  restarts = 0
  readonly candidates: unknown[] = []

  async setLocalDescription(): Promise<void> {
    // A browser sets the description asynchronously, and the other side's offer may arrive before it is set.
    await Promise.resolve()
    const type = this.signalingState === 'have-remote-offer' ? 'answer' : 'offer'
    this.signalingState = type === 'answer' ? 'stable' : 'have-local-offer'
    this.localDescription = { type, sdp: `${type} ${++FakeConnection.made}` } as RTCSessionDescription
  }

  async setRemoteDescription({ type, sdp = '' }: RTCSessionDescriptionInit): Promise<void> {
    await Promise.resolve()
    if (type === 'answer') {
      if (this.signalingState !== 'have-local-offer') throw new DOMException('no offer', 'InvalidStateError')
      this.signalingState = 'stable'
    } else {
      if (this.signalingState === 'have-local-offer') this.rolledBack++
      this.signalingState = 'have-remote-offer'
    }
    this.remote = sdp
  }

  async addIceCandidate(candidate: unknown): Promise<void> {
    await Promise.resolve()
    if (this.remote === null) throw new DOMException('no description', 'InvalidStateError')
    this.candidates.push(candidate)
  }

  restartIce(): void {
    this.restarts++
  }

  get asConnection(): NegotiatingConnection {
    return this
  }
}

/** Connects two sides. Signals are queued until the test delivers them. */
function connectPair() {
  const sides = [new FakeConnection(), new FakeConnection()] as const
  const waiting: Signal[][] = [[], []]
  const takes = sides.map((side, n) =>
    negotiate(side.asConnection, { isPolite: n === 0, send: (signal) => waiting[n]?.push(signal) }),
  )
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  /** Delivers signals until neither side sends more. */
  const exchange = async () => {
    await settle()
    while (waiting.some((signals) => signals.length > 0)) {
      const [toImpolite, toPolite] = waiting.map((signals) => signals.splice(0))
      await Promise.all([
        ...(toImpolite ?? []).map((signal) => takes[1]?.(signal)),
        ...(toPolite ?? []).map((signal) => takes[0]?.(signal)),
      ])
      await settle()
    }
  }
  const need = (n: 0 | 1) => void sides[n].onnegotiationneeded?.(new Event('negotiationneeded'))
  const candidate = (n: 0 | 1, text: string) =>
    sides[n].onicecandidate?.({ candidate: { candidate: text } } as unknown as RTCPeerConnectionIceEvent)
  return { polite: sides[0], impolite: sides[1], takes, waiting, settle, exchange, need, candidate }
}

const signalingStates = ({ polite, impolite }: ReturnType<typeof connectPair>) => [
  polite.signalingState,
  impolite.signalingState,
]

describe('the negotiation of two pages', () => {
  test('a WebRTC offer is answered, whichever side sends it', async () => {
    for (const side of [0, 1] as const) {
      const two = connectPair()
      two.need(side)
      await two.exchange()
      assert.deepEqual(signalingStates(two), ['stable', 'stable'])
      assert.match(two.polite.remote ?? '', side === 0 ? /^answer/ : /^offer/)
    }
  })

  test('when two WebRTC offers collide, the polite side withdraws its own offer and answers the other offer', async () => {
    const two = connectPair()
    two.need(0)
    two.need(1)
    await two.exchange()
    assert.deepEqual(signalingStates(two), ['stable', 'stable'])
    assert.equal(two.polite.rolledBack, 1)
    assert.match(two.polite.remote ?? '', /^offer/)
    assert.match(two.impolite.remote ?? '', /^answer/)
    assert.deepEqual([two.polite.restarts, two.impolite.restarts], [0, 0])
  })

  test('ICE candidates of an ignored offer are dropped without an error, and later candidates are used', async () => {
    const two = connectPair()
    two.need(0)
    two.need(1)
    await two.settle()
    two.candidate(0, 'of the offer that goes')
    await two.exchange()
    two.candidate(0, 'of the answer')
    await two.exchange()
    assert.deepEqual(two.impolite.candidates.at(-1), { candidate: 'of the answer' })
    assert.equal(two.impolite.restarts, 0)
  })

  test("a WebRTC offer that arrives while the answer to the page's own offer is being applied is not a collision", async () => {
    const two = connectPair()
    two.need(1)
    await two.settle()
    const [offer] = two.waiting[1]?.splice(0) ?? []
    await two.takes[0]?.(offer ?? {})
    const [answer] = two.waiting[0]?.splice(0) ?? []
    two.need(0)
    await two.settle()
    const [next] = two.waiting[0]?.splice(0) ?? []
    await Promise.all([two.takes[1]?.(answer ?? {}), two.takes[1]?.(next ?? {})])
    await two.exchange()
    assert.deepEqual(signalingStates(two), ['stable', 'stable'])
  })

  test('an unexpected WebRTC description or a failed connection restarts ICE', async () => {
    const two = connectPair()
    await two.takes[0]?.({ description: { type: 'answer', sdp: 'to nothing' } })
    assert.equal(two.polite.restarts, 1)
    two.impolite.connectionState = 'failed'
    two.impolite.onconnectionstatechange?.()
    assert.equal(two.impolite.restarts, 1)
    two.polite.signalingState = 'closed'
    await two.takes[0]?.({ candidate: {} })
    assert.equal(two.polite.restarts, 1, 'a closed one stays closed')
  })
})
