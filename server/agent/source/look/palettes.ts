import { declaredKeys, tableOf } from '../../../lib/keys.ts'

/** Hue in degrees, chroma of the accent, and chroma of the greys (`tint`). */
const PALETTE_HUES = {
  indigo: { hue: 268, chroma: 0.19, tint: 0.008 },
  ocean: { hue: 235, chroma: 0.13, tint: 0.009 },
  teal: { hue: 188, chroma: 0.1, tint: 0.008 },
  forest: { hue: 152, chroma: 0.12, tint: 0.009 },
  honey: { hue: 75, chroma: 0.12, tint: 0.013 },
  clay: { hue: 42, chroma: 0.14, tint: 0.012 },
  rose: { hue: 350, chroma: 0.18, tint: 0.009 },
  plum: { hue: 315, chroma: 0.16, tint: 0.01 },
} as const

export type Palette = keyof typeof PALETTE_HUES
export const PALETTE_NAMES = Object.keys(PALETTE_HUES) as [Palette, ...Palette[]]

export type Token =
  | 'accent'
  | 'accent-strong'
  | 'accent-soft'
  | 'on-accent'
  | 'page'
  | 'surface'
  | 'raised'
  | 'sunken'
  | 'line'
  | 'edge'
  | 'text'
  | 'muted'

type PaletteShade = [lightness: number, chroma: number]

/** Lightness from 0 to 1, and chroma as a multiple of the palette's `chroma` (accent) or `tint` (grey). */
const TOKEN_SHADES: Record<Token, { of: 'accent' | 'grey'; light: PaletteShade; dark: PaletteShade }> = {
  accent: { of: 'accent', light: [0.49, 1], dark: [0.78, 0.75] },
  'accent-strong': { of: 'accent', light: [0.42, 0.95], dark: [0.85, 0.55] },
  'accent-soft': { of: 'accent', light: [0.952, 0.17], dark: [0.3, 0.32] },
  'on-accent': { of: 'accent', light: [1, 0], dark: [0.2, 0.3] },
  page: { of: 'grey', light: [0.979, 0.6], dark: [0.168, 1] },
  surface: { of: 'grey', light: [1, 0], dark: [0.212, 1.2] },
  raised: { of: 'grey', light: [1, 0], dark: [0.24, 1.4] },
  sunken: { of: 'grey', light: [0.962, 0.7], dark: [0.188, 1.1] },
  line: { of: 'grey', light: [0.916, 1], dark: [0.305, 1.6] },
  edge: { of: 'grey', light: [0.64, 2], dark: [0.58, 2] },
  text: { of: 'grey', light: [0.205, 1.6], dark: [0.945, 0.6] },
  muted: { of: 'grey', light: [0.475, 2], dark: [0.735, 1.6] },
}

/** Returns the colours of a palette in one theme, as `#rrggbb`. */
export function colorsOf(palette: Palette, theme: 'light' | 'dark'): Record<Token, string> {
  const { hue, chroma, tint } = PALETTE_HUES[palette]
  return tableOf(declaredKeys(TOKEN_SHADES), (token) => {
    const { of, [theme]: shade } = TOKEN_SHADES[token]
    const [lightness, part] = shade
    return colourHex(lightness, part * (of === 'accent' ? chroma : tint), hue)
  })
}

export function paletteCss(palette: Palette): string {
  const [light, dark] = [colorsOf(palette, 'light'), colorsOf(palette, 'dark')]
  const lines = declaredKeys(TOKEN_SHADES).map(
    (token) => `  --color-${token}: light-dark(${light[token]}, ${dark[token]});`,
  )
  return `/* The colours of the palette "${palette}". Generated from app.json. Do not edit. */\n:root {\n${lines.join('\n')}\n}\n`
}

/** Converts OKLCH to sRGB. Reduces the chroma of a color outside the sRGB gamut until the color is inside. */
function colourHex(lightness: number, chroma: number, hue: number): string {
  for (let c = chroma; ; c -= 0.002) {
    const rgb = linearRgb(lightness, Math.max(0, c), hue)
    if (c <= 0 || rgb.every((part) => part > -0.0005 && part < 1.0005))
      return `#${rgb.map((part) => srgbByte(part).toString(16).padStart(2, '0')).join('')}`
  }
}

/** Converts with the matrices of https://bottosson.github.io/posts/oklab/. */
function linearRgb(lightness: number, chroma: number, hue: number): [number, number, number] {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function srgbByte(linear: number): number {
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
  return Math.round(255 * Math.min(1, Math.max(0, value)))
}
