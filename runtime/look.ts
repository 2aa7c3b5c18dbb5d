import { crc32, deflateSync } from 'node:zlib'

/**
 * Adds the tags of `head.gen.html` (the app's icons, colors and link previews) to the `<head>` of a page, or before a page without one.
 * Leaves out each tag that the page itself already has.
 */
export function withHeadTags(html: string, head: string): string {
  const lines = head.split('\n').filter((line) => {
    const key = /\b(?:rel|name|property)="[^"]+"/.exec(line)?.[0]
    return key !== undefined && !html.includes(key)
  })
  const tags = lines.map((line) => `${line}\n`).join('')
  return html.includes('</head>') ? html.replace('</head>', () => `${tags}</head>`) : tags + html
}

type CanvasPoint = readonly [x: number, y: number]

interface StrokeDrawing {
  width: number
  height: number
  strokes: { left: number; top: number; scale: number; opacity: number }[]
}

/** The preview picture for shared links: the app's icon, beside a large, faint copy of the icon. */
const LINK_PREVIEW: StrokeDrawing = {
  width: 1200,
  height: 630,
  strokes: [
    { left: 620, top: -60, scale: 31, opacity: 0.13 },
    { left: 130, top: 171, scale: 12, opacity: 1 },
  ],
}
/** Without rounded corners, because the phone rounds them itself. */
const TOUCH_ICON: StrokeDrawing = {
  width: 180,
  height: 180,
  strokes: [{ left: 36, top: 36, scale: 4.5, opacity: 1 }],
}

const picturesByIcon = new Map<string, ReadonlyMap<string, Uint8Array>>()

/**
 * Returns the app's pictures as PNG, by path, because phones and many link previews do not support SVG. The pictures are drawn from the
 * icon (`public/icon.svg`). Returns an empty map when the icon is a letter.
 */
export function picturesOf(icon: string): ReadonlyMap<string, Uint8Array> {
  const known = picturesByIcon.get(icon)
  if (known !== undefined) return known
  const path = /<path d="([^"]+)"/.exec(icon)?.[1]
  const color = /<rect [^>]*fill="(#[\da-f]{6})"/.exec(icon)?.[1]
  if (path === undefined || color === undefined) return new Map()
  const lines = polylinesOf(path)
  const pictures = new Map([
    ['/card.png', drawIcon(LINK_PREVIEW, lines, color)],
    ['/touch-icon.png', drawIcon(TOUCH_ICON, lines, color)],
  ])
  picturesByIcon.set(icon, pictures)
  return pictures
}

const STROKE_RADIUS = 0.85

/** Draws white lines on a color. Each pixel is the share of white (0 to 255), which is also its index in the color table. */
function drawIcon(
  { width, height, strokes }: StrokeDrawing,
  lines: CanvasPoint[][],
  color: string,
): Uint8Array {
  const pixels = new Uint8Array(width * height)
  for (const { left, top, scale, opacity } of strokes) {
    const radius = STROKE_RADIUS * scale
    const place = ([x, y]: CanvasPoint): CanvasPoint => [left + x * scale, top + y * scale]
    for (const line of lines)
      for (let i = 1; i < line.length; i++) {
        const [from, to] = [place(line[i - 1]!), place(line[i]!)]
        strokeSegment(from, to)
      }

    function strokeSegment(from: CanvasPoint, to: CanvasPoint): void {
      const pixelRange = (axis: 0 | 1, size: number) => [
        Math.max(0, Math.floor(Math.min(from[axis], to[axis]) - radius - 1)),
        Math.min(size - 1, Math.ceil(Math.max(from[axis], to[axis]) + radius + 1)),
      ]
      const [x0 = 0, x1 = 0] = pixelRange(0, width)
      const [y0 = 0, y1 = 0] = pixelRange(1, height)
      for (let y = y0; y <= y1; y++)
        for (let x = x0; x <= x1; x++) {
          const cover = Math.min(1, radius + 0.5 - distanceToSegment(x + 0.5, y + 0.5, from, to))
          const share = Math.round(255 * opacity * cover)
          if (share > pixels[y * width + x]!) pixels[y * width + x] = share
        }
    }
  }
  return encodePng(width, height, pixels, color)
}

function distanceToSegment(x: number, y: number, [x0, y0]: CanvasPoint, [x1, y1]: CanvasPoint): number {
  const dx = x1 - x0
  const dy = y1 - y0
  const length = dx * dx + dy * dy
  const at = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / length))
  return Math.sqrt((x - x0 - at * dx) ** 2 + (y - y0 - at * dy) ** 2)
}

/** How many numbers follow each path command. Icons use no other commands. */
const NUMBERS_PER_COMMAND: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, A: 7, Z: 0 }
const CURVE_STEPS = 12

/** Converts a path to polylines; curves become short straight lines. */
function polylinesOf(path: string): CanvasPoint[][] {
  const lines: CanvasPoint[][] = []
  let line: CanvasPoint[] = []
  for (const [, command = '', given = ''] of path.matchAll(/([MLHVCAZ])([^MLHVCAZ]*)/g)) {
    const numbers = (given.match(/-?[\d.]+/g) ?? []).map(Number)
    const size = NUMBERS_PER_COMMAND[command] ?? 0
    for (let i = 0; i === 0 || i < numbers.length; i += size || 1) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = numbers.slice(i, i + size)
      const [x, y] = line.at(-1) ?? [0, 0]
      if (command === 'M') lines.push((line = [[a, b]]))
      if (command === 'L') line.push([a, b])
      if (command === 'H') line.push([a, y])
      if (command === 'V') line.push([x, a])
      if (command === 'C') line.push(...curvePoints([x, y], [a, b], [c, d], [e, f]))
      if (command === 'A') line.push(...arcPoints([x, y], a, d === 1, e === 1, [f, g]))
      if (command === 'Z') line.push(line[0]!)
    }
  }
  return lines
}

const CURVE_PARAMETERS = Array.from({ length: CURVE_STEPS }, (_, i) => (i + 1) / CURVE_STEPS)

function curvePoints(p0: CanvasPoint, p1: CanvasPoint, p2: CanvasPoint, p3: CanvasPoint): CanvasPoint[] {
  const at = (t: number, axis: 0 | 1) =>
    (1 - t) ** 3 * p0[axis] +
    3 * (1 - t) ** 2 * t * p1[axis] +
    3 * (1 - t) * t ** 2 * p2[axis] +
    t ** 3 * p3[axis]
  return CURVE_PARAMETERS.map((t) => [at(t, 0), at(t, 1)])
}

/** Returns points on a circular arc (https://www.w3.org/TR/SVG2/implnote.html#ArcImplementationNotes). */
function arcPoints(
  [x0, y0]: CanvasPoint,
  r: number,
  isLarge: boolean,
  isClockwise: boolean,
  [x1, y1]: CanvasPoint,
): CanvasPoint[] {
  const half = Math.hypot(x1 - x0, y1 - y0) / 2
  const radius = Math.max(r, half)
  const away = Math.sqrt(radius ** 2 - half ** 2) * (isLarge === isClockwise ? -1 : 1)
  const [cx, cy] = [
    (x0 + x1) / 2 + (away * (y0 - y1)) / (2 * half),
    (y0 + y1) / 2 + (away * (x1 - x0)) / (2 * half),
  ]
  const start = Math.atan2(y0 - cy, x0 - cx)
  let turn = Math.atan2(y1 - cy, x1 - cx) - start
  if (isClockwise && turn < 0) turn += 2 * Math.PI
  if (!isClockwise && turn > 0) turn -= 2 * Math.PI
  return CURVE_PARAMETERS.map((t) => [
    cx + radius * Math.cos(start + t * turn),
    cy + radius * Math.sin(start + t * turn),
  ])
}

/** Encodes shares of white over a color as PNG (https://www.w3.org/TR/png-3/) with a table of 256 colors. */
function encodePng(width: number, height: number, pixels: Uint8Array, color: string): Uint8Array {
  const header = Uint8Array.of(...numberBytes(width), ...numberBytes(height), 8, 3, 0, 0, 0)
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  const table = Uint8Array.from({ length: 256 * 3 }, (_, i) => {
    const part = parts[i % 3]!
    return Math.round(part + ((255 - part) * Math.floor(i / 3)) / 255)
  })
  const rows = new Uint8Array((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  return joinBytes([
    Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10),
    pngChunk('IHDR', header),
    pngChunk('PLTE', table),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', new Uint8Array(0)),
  ])
}

function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const body = joinBytes([new TextEncoder().encode(type), data])
  return joinBytes([numberBytes(data.length), body, numberBytes(crc32(body))])
}

/** Returns four bytes, big-endian. */
function numberBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
