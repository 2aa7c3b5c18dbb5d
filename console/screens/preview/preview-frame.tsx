import { type RefObject, useEffect, useRef, useState } from 'react'
import { previewText } from '../../text/preview.en.ts'

interface PreviewFrameProps {
  address: string
  /** The width of the device to show, scaled down to fit; null fills the pane. */
  widthPx: number | null
  frameRef: RefObject<HTMLIFrameElement | null>
}

/** Shows the app in a sandboxed frame on another host: it cannot read the console and gets none of its cookies. */
export function PreviewFrame({ address, widthPx, frameRef }: PreviewFrameProps) {
  const area = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const box = area.current
    if (!box) return
    const observer = new ResizeObserver(() => setSize({ width: box.clientWidth, height: box.clientHeight }))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  const scale = widthPx && size.width > 0 ? Math.min(1, size.width / widthPx) : 1
  const fitted = widthPx
    ? { width: widthPx, height: size.height / scale, transform: `scale(${scale})` }
    : { width: '100%', height: '100%' }
  return (
    <div ref={area} className="relative min-h-0 flex-1 overflow-hidden bg-kumo-recessed">
      <div
        className="absolute top-0 left-1/2 origin-top-left"
        style={{ ...frameStyle(widthPx, scale, size.width) }}
      >
        <iframe
          ref={frameRef}
          title={previewText.title}
          src={address}
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-downloads"
          referrerPolicy="no-referrer"
          allow="fullscreen; clipboard-write; camera; microphone; display-capture"
          className="block origin-top-left border-0 bg-white"
          style={fitted}
        />
      </div>
    </div>
  )
}

/** Returns the position and width of the frame. With a device width the frame is centered in the pane; otherwise it fills the pane. */
function frameStyle(widthPx: number | null, scale: number, paneWidth: number): React.CSSProperties {
  if (!widthPx) return { left: 0, width: '100%', height: '100%' }
  return { left: Math.max(0, (paneWidth - widthPx * scale) / 2), width: widthPx * scale, height: '100%' }
}
