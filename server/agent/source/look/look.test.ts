import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { picturesOf } from '@slipway/runtime/look.ts'
import { bundleApp } from '../../bundle/bundle.ts'
import { readManifest } from '../manifest.ts'
import { completeTree, starterTree } from '../tree.ts'
import { type IconName, ICON_NAMES, ICON_PATHS } from './icons.ts'
import { lookFiles } from './look.ts'
import { colorsOf, PALETTE_NAMES, type Token } from './palettes.ts'

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  const [r = 0, g = 0, b = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function commonColors(theme: 'light' | 'dark'): Record<string, string> {
  const css = readFileSync(new URL('../../../../runtime/ui/tokens.css', import.meta.url), 'utf8')
  return Object.fromEntries(
    [...css.matchAll(/--color-([\w-]+): light-dark\((#\w+), (#\w+)\)/g)].map(
      ([, name = '', light = '', dark = '']) => [name, theme === 'light' ? light : dark],
    ),
  )
}

const GROUNDS: Token[] = ['page', 'surface', 'raised', 'sunken', 'accent-soft']

/** Returns the tags of a page's head that name its colours, card, pictures and manifest, in a fixed order. */
const lookTagsIn = (html: string) =>
  [...html.matchAll(/<(?:meta (?:name|property)=|link rel="(?:icon|apple-touch-icon|manifest)")[^>]*>/g)]
    .map(([tag]) => tag.replace(/\s*\/?>$/, '>'))
    .sort()

const tokensIn = (html: string) =>
  new Map(
    [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)].map(([, key, text]) => [
      key,
      text,
    ]),
  )

describe('the look of an app', () => {
  test('text in every color palette meets WCAG AA contrast on every background, in both themes', () => {
    for (const palette of PALETTE_NAMES)
      for (const theme of ['light', 'dark'] as const) {
        const colors: Record<string, string> = { ...commonColors(theme), ...colorsOf(palette, theme) }
        const requireContrast = (text: string, ground: string, least: number) => {
          const ratio = contrast(colors[text] ?? '', colors[ground] ?? '')
          assert.ok(
            ratio >= least,
            `${palette} ${theme}: ${text} on ${ground} is ${ratio.toFixed(2)} of ${least}`,
          )
        }
        for (const ground of GROUNDS)
          for (const text of ['text', 'muted', 'accent', 'accent-strong']) requireContrast(text, ground, 4.5)
        for (const ground of ['page', 'surface', 'raised', 'sunken']) {
          for (const text of ['bad', 'good', 'warn']) requireContrast(text, ground, 4.5)
          // WCAG requires 3:1 for the borders of fields and for the focus ring, which has the accent color.
          requireContrast('edge', ground, 3)
        }
        for (const kind of ['bad', 'good', 'warn']) requireContrast(kind, `${kind}-soft`, 4.5)
        requireContrast('on-accent', 'accent', 4.5)
        requireContrast('on-accent', 'accent-strong', 4.5)
        requireContrast('on-bad', 'bad', 4.5)
      }
  })

  test('the app guide names every palette and icon', () => {
    const guide = readFileSync(new URL('../../../../docs/guides/app.md', import.meta.url), 'utf8')
    assert.ok(guide.includes(`Palettes: \`${PALETTE_NAMES.join(' ')}\``))
    assert.ok(guide.includes(`Icons: \`${ICON_NAMES.join(' ')}\``))
  })

  test('no two palettes have the same accent', () => {
    for (const theme of ['light', 'dark'] as const)
      assert.equal(new Set(PALETTE_NAMES.map((palette) => colorsOf(palette, theme).accent)).size, 8)
  })

  const iconOf = (icon: IconName) =>
    lookFiles({ name: 'Plants', look: { palette: 'clay', icon } }).get('platform/public/icon.svg') ?? ''

  test('icons use only the SVG path commands that the image renderer can draw', () => {
    for (const name of ICON_NAMES) assert.match(ICON_PATHS[name], /^[MLHVCAZ\d\s.-]+$/, name)
    for (const name of ['leaf', 'calendar', 'coin', 'wine'] as const) {
      const picture = Buffer.from(picturesOf(iconOf(name)).get('/touch-icon.png') ?? [])
      const at = picture.indexOf('IDAT')
      const pixels = inflateSync(picture.subarray(at + 4, at + 4 + picture.readUInt32BE(at - 4)))
      const white = pixels.filter((pixel) => pixel === 255).length
      assert.ok(white > 500 && white < 6000, `${name} covers ${white} pixels`)
    }
  })

  test('an unknown palette or icon is refused with the list of valid names', () => {
    const result = readManifest(
      JSON.stringify({ slipway: 1, name: 'Plants', look: { palette: 'green', icon: 'tree' } }),
    )
    assert.ok(!result.ok)
    assert.deepEqual(
      result.issues.map(({ path }) => path),
      ['look.palette', 'look.icon'],
    )
    assert.match(result.issues[0]?.message ?? '', /indigo.*forest/)
  })

  test('the HTML head of an app gets the icon, colors and share image, and keeps the existing tags of the page', async () => {
    const look = { palette: 'forest', icon: 'leaf' }
    const app = { slipway: 1, name: 'Ada "&" plants', description: 'Who <waters> what', look, pages: [] }
    const own = starterTree('Plants')
    const html =
      own.get('web/index.html')?.replace('</head>', '<meta property="og:title" content="Mine" /></head>') ??
      ''
    const tree = new Map([
      ...own,
      ['app.json', JSON.stringify({ ...app, pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }] })],
      ['web/index.html', html],
    ])
    const result = await bundleApp(completeTree(tree, new Set()), { parts: ['web'], minify: true })
    assert.ok(result.ok, JSON.stringify(result))
    const { web } = result.bundle
    const page = Buffer.from(web['/index.html']?.bytes ?? []).toString()
    const meta = tokensIn(page)
    assert.equal(meta.get('og:title'), 'Mine')
    assert.equal(page.match(/og:title/g)?.length, 1)
    assert.equal(meta.get('og:description'), 'Who &lt;waters&gt; what')
    assert.equal(meta.get('og:image'), '/card.png')
    assert.equal(page.match(/name="theme-color"/g)?.length, 2)
    assert.match(page, /<link rel="manifest" href="\/app\.webmanifest"/)
    assert.equal(web['/card.png']?.contentType, 'image/png')
    assert.equal(web['/touch-icon.png']?.contentType, 'image/png')
    assert.ok(Buffer.from(web['/icon.svg']?.bytes ?? []).includes(ICON_PATHS.leaf))
    const styles = Object.entries(web).find(([path]) => path.endsWith('.css'))?.[1].bytes ?? []
    assert.ok(Buffer.from(styles).includes(colorsOf('forest', 'light').accent))
    const named = JSON.parse(Buffer.from(web['/app.webmanifest']?.bytes ?? []).toString()) as { name: string }
    assert.equal(named.name, 'Ada "&" plants')
  })

  test('an exported app built by its build script has the same images and HTML head as an app that the service bundles', async (t) => {
    const app = {
      slipway: 1,
      name: 'Cafés',
      description: 'Where to go',
      look: { palette: 'clay', icon: 'leaf' },
    }
    const tree = completeTree(
      new Map([...starterTree('Cafés'), ['app.json', JSON.stringify({ ...app, pages: [] })]]),
      new Set(),
    )
    const folder = mkdtempSync(join(tmpdir(), 'slipway-exported-'))
    t.after(() => rmSync(folder, { recursive: true }))
    for (const [path, text] of tree) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    symlinkSync(join(import.meta.dirname, '../../../../node_modules'), join(folder, 'node_modules'))
    execFileSync(process.execPath, ['platform/build.mjs'], { cwd: folder, stdio: 'pipe' })
    const result = await bundleApp(tree, { parts: ['web'], minify: true })
    assert.ok(result.ok, JSON.stringify(result))
    for (const path of ['card.png', 'touch-icon.png'])
      assert.ok(
        readFileSync(join(folder, 'dist', path)).equals(
          Buffer.from(result.bundle.web[`/${path}`]?.bytes ?? []),
        ),
        path,
      )
    const built = lookTagsIn(readFileSync(join(folder, 'dist/index.html'), 'utf8'))
    assert.deepEqual(
      built.filter((tag) => tag.startsWith('<link')),
      [
        '<link rel="apple-touch-icon" href="/touch-icon.png">',
        '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
        '<link rel="manifest" href="/app.webmanifest" crossorigin="use-credentials">',
      ],
    )
    assert.equal(built.filter((tag) => tag.includes('theme-color')).length, 2)
    assert.ok(built.some((tag) => tag.includes('og:image') && tag.includes('/card.png')))
    assert.deepEqual(built, lookTagsIn(Buffer.from(result.bundle.web['/index.html']?.bytes ?? []).toString()))
    assert.deepEqual(
      JSON.parse(readFileSync(join(folder, 'dist/app.webmanifest'), 'utf8')),
      JSON.parse(Buffer.from(result.bundle.web['/app.webmanifest']?.bytes ?? []).toString()),
    )
  })

  test('an app without a chosen icon and without public/icon.svg gets the first letter of its name as its icon', async () => {
    const tree = starterTree('Ämter')
    const iconOf = async (files: ReadonlyMap<string, string>) => {
      const result = await bundleApp(completeTree(files, new Set()), { parts: ['web'], minify: true })
      assert.ok(result.ok, JSON.stringify(result))
      assert.equal(result.bundle.web['/card.png'], undefined)
      return Buffer.from(result.bundle.web['/icon.svg']?.bytes ?? []).toString()
    }
    assert.match(await iconOf(tree), />Ä<\/text>/)
    assert.equal(await iconOf(new Map([...tree, ['public/icon.svg', '<svg />']])), '<svg />')
  })
})
