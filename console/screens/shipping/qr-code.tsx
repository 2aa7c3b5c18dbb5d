import { create } from 'qrcode'
import { hostOf } from '../../ui/host.ts'
import { shipText } from '../../text/shipping.en.ts'

/** Modules of quiet space that readers need around the code. */
const QUIET = 4

/** An address for a phone's camera; always dark on light, which is what cameras read. */
export function QrCode({ url }: { url: string }) {
  const { size, data } = create(url, { errorCorrectionLevel: 'M' }).modules
  const path = Array.from(data, (dark, index) =>
    dark ? `M${(index % size) + QUIET} ${Math.floor(index / size) + QUIET}h1v1h-1z` : '',
  ).join('')
  const whole = size + 2 * QUIET
  return (
    <svg
      role="img"
      aria-label={shipText.qr(hostOf(url))}
      viewBox={`0 0 ${whole} ${whole}`}
      shapeRendering="crispEdges"
      className="animate-enter size-44 rounded-lg ring-1 ring-kumo-line"
    >
      <rect width={whole} height={whole} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
