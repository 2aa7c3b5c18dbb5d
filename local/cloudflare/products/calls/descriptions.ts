/** A media section of SDP: its lines without address, key and direction. */
export interface MediaSection {
  mid: string
  lines: string[]
  /** The direction as seen by the server, which receives what a browser publishes and sends what a browser requests. */
  direction: 'recvonly' | 'sendonly' | 'inactive'
}

const CREDENTIAL_LINE =
  /^a=(ice-|fingerprint:|setup:|candidate:|end-of-candidates|ssrc|msid|mid:|sendrecv|sendonly|recvonly|inactive|rid:|simulcast)/
const AUDIO_LINES = ['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=rtpmap:111 opus/48000/2']
const VIDEO_LINES = ['m=video 9 UDP/TLS/RTP/SAVPF 96', 'a=rtpmap:96 VP8/90000']

/** Returns the media sections of an offer, without the lines that the answer must not copy. */
export function sectionsOf(sdp: string): MediaSection[] {
  const [, ...parts] = sdp.split(/\r?\n(?=m=)/)
  return parts.map((part) => {
    const lines = part.split(/\r?\n/).filter((line) => line !== '')
    const mid = lines.find((line) => line.startsWith('a=mid:'))?.slice('a=mid:'.length) ?? ''
    const direction = isRejected({ lines }) ? 'inactive' : 'recvonly'
    return { mid, lines: lines.filter((line) => !CREDENTIAL_LINE.test(line)), direction }
  })
}

/**
 * Port 0 means that the browser has stopped this section. A later section may reuse its position with another
 * `mid`.
 */
export const isRejected = ({ lines }: Pick<MediaSection, 'lines'>) => /^m=\S+ 0 /.test(lines[0] ?? '')

export const sendOnlySection = (mid: string, isVideo: boolean): MediaSection => ({
  mid,
  lines: [
    ...(isVideo ? VIDEO_LINES : AUDIO_LINES),
    'c=IN IP4 0.0.0.0',
    'a=rtcp-mux',
    `a=msid:- ${crypto.randomUUID()}`,
  ],
  direction: 'sendonly',
})

/**
 * Returns a session description (SDP) that a browser accepts. No server listens at the description's address, because no media is relayed.
 */
export function describeSession(
  type: 'offer' | 'answer',
  sections: readonly MediaSection[],
  id: string,
): string {
  const common = [
    `a=ice-ufrag:${id.slice(0, 8)}`,
    `a=ice-pwd:${id.slice(0, 32)}`,
    `a=fingerprint:sha-256 ${Array(32).fill('00').join(':')}`,
    `a=setup:${type === 'offer' ? 'actpass' : 'passive'}`,
  ]
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=ice-lite',
    `a=group:BUNDLE ${sections.flatMap((one) => (isRejected(one) ? [] : one.mid)).join(' ')}`,
    ...sections.flatMap((one) => [
      ...one.lines,
      `a=mid:${one.mid}`,
      `a=${one.direction}`,
      ...(isRejected(one) ? [] : common),
    ]),
  ]
  return `${lines.join('\r\n')}\r\n`
}
