import { escapeText } from '@slipway/runtime/page.ts'
import { ICON_PATHS, type IconName } from './icons.ts'
import { colorsOf, type Palette, paletteCss } from './palettes.ts'

export interface AppAppearance {
  name: string
  description?: string | undefined
  look?: { palette?: Palette | undefined; icon?: IconName | undefined } | undefined
}

export const DEFAULT_PALETTE: Palette = 'indigo'

/**
 * Returns the modules and files that give an app its look, by path. The app's files replace files of the same name in
 * `platform/public/`.
 */
export function lookFiles(app: AppAppearance): Map<string, string> {
  const palette = app.look?.palette ?? DEFAULT_PALETTE
  return new Map([
    ['platform/look.gen.css', paletteCss(palette)],
    ['platform/head.gen.html', headHtml(app, palette)],
    ['platform/public/icon.svg', iconSvg(app, palette)],
    ['platform/public/app.webmanifest', webManifest(app, palette)],
  ])
}

/**
 * Returns the line of code that exports an app's icon. For an app without an icon the line exports null, and the first letter of the
 * app's name is shown.
 */
export const iconLine = ({ look }: AppAppearance): string =>
  `export const icon: string | null = ${look?.icon === undefined ? 'null' : JSON.stringify(ICON_PATHS[look.icon])}`

/**
 * The tags of the pictures that are drawn when the app is bundled. Link previews need an absolute URL, so the worker adds its origin to
 * the URL of card.png.
 */
const PICTURE_TAGS = [
  '<link rel="apple-touch-icon" href="/touch-icon.png" />',
  '<meta property="og:image" content="/card.png" />',
  '<meta name="twitter:card" content="summary_large_image" />',
]

/** Returns the tags of the page's head from which browsers, phones and shared links show the app's name and look. */
function headHtml({ name, description, look }: AppAppearance, palette: Palette): string {
  const themes = ['light', 'dark'] as const
  return [
    '<link rel="icon" href="/icon.svg" type="image/svg+xml" />',
    // Fetched with credentials, because an app may be behind an access code.
    '<link rel="manifest" href="/app.webmanifest" crossorigin="use-credentials" />',
    ...themes.map(
      (theme) =>
        `<meta name="theme-color" content="${colorsOf(palette, theme).surface}" media="(prefers-color-scheme: ${theme})" />`,
    ),
    '<meta property="og:type" content="website" />',
    `<meta property="og:title" content="${escapeText(name)}" />`,
    ...(description === undefined
      ? []
      : ['name="description"', 'property="og:description"'].map(
          (key) => `<meta ${key} content="${escapeText(description)}" />`,
        )),
    ...(look?.icon === undefined ? [] : PICTURE_TAGS),
    '',
  ].join('\n')
}

function iconSvg({ name, look }: AppAppearance, palette: Palette): string {
  const { accent } = colorsOf(palette, 'light')
  const initial = String.fromCodePoint(name.trim().codePointAt(0) ?? 0x2022).toUpperCase()
  const mark =
    look?.icon === undefined
      ? `<text x="16" y="22" text-anchor="middle" font-family="system-ui, sans-serif" font-size="17" font-weight="700" fill="#fff">${escapeText(initial)}</text>`
      : `<path d="${ICON_PATHS[look.icon]}" transform="translate(6.4 6.4) scale(.8)" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" />`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${accent}" />${mark}</svg>\n`
}

function webManifest({ name, description }: AppAppearance, palette: Palette): string {
  const { page, surface } = colorsOf(palette, 'light')
  const icons = [{ src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' }]
  const manifest = {
    name,
    description,
    start_url: '/',
    display: 'standalone',
    background_color: page,
    theme_color: surface,
    icons,
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
