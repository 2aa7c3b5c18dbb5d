import { create } from 'qrcode'

/** The empty border around the code, in modules. QR readers require it. */
const QUIET_ZONE_MODULES = 4

/** A QR code. It is dark on light in both themes, because readers expect that. */
export function QrCode({ value, label }: { value: string; label: string }) {
  const { size, data } = create(value, { errorCorrectionLevel: 'M' }).modules
  const path = Array.from(data, (dark, index) =>
    dark
      ? `M${(index % size) + QUIET_ZONE_MODULES} ${Math.floor(index / size) + QUIET_ZONE_MODULES}h1v1h-1z`
      : '',
  ).join('')
  const whole = size + 2 * QUIET_ZONE_MODULES
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${whole} ${whole}`}
      shapeRendering="crispEdges"
      className="animate-enter size-44 rounded-lg ring-1 ring-kumo-line"
    >
      <rect width={whole} height={whole} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
