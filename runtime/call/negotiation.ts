import type { Signal } from './types.ts'

export type NegotiatingConnection = Pick<
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
 * Lets both sides of a connection change it at any time (perfect negotiation, WebRTC 1.0 section 10.7): when two offers cross, the polite
 * side withdraws its own offer. Returns a function that handles the other side's signals.
 */
export function negotiate(
  pc: NegotiatingConnection,
  { isPolite, send }: { isPolite: boolean; send: (signal: Signal) => void },
): (signal: Signal) => Promise<void> {
  let isOffering = false
  let isIgnoring = false
  let isTakingAnswer = false
  const sendDescription = async () => {
    await pc.setLocalDescription()
    send({ description: pc.localDescription })
  }
  pc.onnegotiationneeded = async () => {
    isOffering = true
    try {
      await sendDescription()
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
        if (description.type === 'offer') await sendDescription()
      } else if (candidate != null) await pc.addIceCandidate(candidate)
    } catch {
      isTakingAnswer = false
      // Candidates of an ignored offer always fail. After any other failure, restart ICE with a new offer to resynchronize both sides.
      if (!isIgnoring && pc.signalingState !== 'closed') pc.restartIce()
    }
  }
}
