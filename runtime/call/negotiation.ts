import type { Signal } from './types.ts'

export type Negotiable = Pick<
  RTCPeerConnection,
  | 'signalingState'
  | 'connectionState'
  | 'localDescription'
  | 'setLocalDescription'
  | 'setRemoteDescription'
  | 'addIceCandidate'
  | 'restartIce'
  | 'onnegotiationneeded'
  | 'onicecandidate'
  | 'onconnectionstatechange'
>

/**
 * Lets both sides of a connection change it at any time (perfect negotiation, WebRTC 1.0 section 10.7): of two offers
 * that cross, the polite side takes its own back.
 * @returns takes what the other side sends
 */
export function negotiate(
  pc: Negotiable,
  { isPolite, send }: { isPolite: boolean; send: (signal: Signal) => void },
): (signal: Signal) => Promise<void> {
  let isOffering = false
  let isIgnoring = false
  let isTakingAnswer = false
  const describe = async () => {
    await pc.setLocalDescription()
    send({ description: pc.localDescription })
  }
  pc.onnegotiationneeded = async () => {
    isOffering = true
    try {
      await describe()
    } catch {
      pc.restartIce()
    } finally {
      isOffering = false
    }
  }
  pc.onicecandidate = ({ candidate }) => send({ candidate })
  pc.onconnectionstatechange = () => {
    if (pc.connectionState === 'failed') pc.restartIce()
  }
  return async ({ description, candidate }) => {
    try {
      if (description != null) {
        const isFree = !isOffering && (pc.signalingState === 'stable' || isTakingAnswer)
        isIgnoring = description.type === 'offer' && !isFree && !isPolite
        if (isIgnoring) return
        isTakingAnswer = description.type === 'answer'
        await pc.setRemoteDescription(description as RTCSessionDescriptionInit)
        isTakingAnswer = false
        if (description.type === 'offer') await describe()
      } else if (candidate != null) await pc.addIceCandidate(candidate)
    } catch {
      isTakingAnswer = false
      // Candidates of an ignored offer fit nothing. After any other failure a new offer brings both sides together again.
      if (!isIgnoring && pc.signalingState !== 'closed') pc.restartIce()
    }
  }
}
