import { useEffect, useRef } from 'react'

/** Shows a stream of a call. Set `muted` for the page's own stream, to avoid an echo. */
export function CallVideo({
  stream,
  muted = false,
  label,
}: {
  stream: MediaStream | null
  muted?: boolean
  label: string
}) {
  const element = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (element.current !== null) element.current.srcObject = stream
  }, [stream])
  return (
    <video ref={element} aria-label={label} autoPlay playsInline muted={muted} style={{ width: '100%' }} />
  )
}
