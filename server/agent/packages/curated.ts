import * as z from 'zod'
import curated from './curated.json' with { type: 'json' }
import { PackagesFile } from './file.ts'

/** A package that any app may add. Its version, its checksum and its dependencies are in `curated.json`. */
export interface CuratedPackage {
  name: string
  purpose: string
  /** `browser`: it needs a document or a screen, so `server/` cannot import it. */
  where: 'browser' | 'both'
  /** The package with its types; undefined when the package has its own. */
  types?: string
  /** Too large for the first load of a page: an app must load it with a dynamic import. */
  isHeavy?: true
}

const browser = (name: string, purpose: string, more: { types?: string; isHeavy?: true } = {}) =>
  ({ name, purpose, where: 'browser', ...more }) as const
const both = (name: string, purpose: string, more: { types?: string; isHeavy?: true } = {}) =>
  ({ name, purpose, where: 'both', ...more }) as const

export const CURATED_PACKAGES: readonly CuratedPackage[] = [
  browser('@dnd-kit/core', 'drag and drop with pointer, touch and keyboard'),
  browser('@dnd-kit/sortable', 'lists and boards sorted by dragging, on @dnd-kit/core'),
  browser('@dnd-kit/utilities', 'CSS transforms for @dnd-kit'),
  browser('@tanstack/react-table', 'table logic: sort, filter, group, page; no markup'),
  browser('@tanstack/react-virtual', 'long lists that render only what is seen'),
  browser('@tiptap/pm', 'the document model that @tiptap/react needs'),
  browser('@tiptap/react', 'rich text editor for React', { isHeavy: true }),
  browser('@tiptap/starter-kit', 'headings, lists, marks and history for @tiptap/react', { isHeavy: true }),
  browser('canvas-confetti', 'confetti on a canvas', { types: '@types/canvas-confetti' }),
  browser('chart.js', 'charts on a canvas', { isHeavy: true }),
  both('chroma-js', 'colours: scales, mixing, contrast', { types: '@types/chroma-js' }),
  both('clsx', 'class names by condition'),
  both('d3-scale', 'scales from data to pixels', { types: '@types/d3-scale' }),
  both('d3-shape', 'lines, areas, arcs and stacks as SVG paths', { types: '@types/d3-shape' }),
  browser('dompurify', 'makes HTML safe to show, for example that of marked'),
  browser('embla-carousel-react', 'carousel with touch and keyboard'),
  both('expr-eval-fork', 'evaluates formulas that users write'),
  both('fflate', 'ZIP and gzip, made and read'),
  both('fuse.js', 'fuzzy search in a list'),
  browser('highlight.js', 'colours source code', { isHeavy: true }),
  both('ical.js', 'reads and writes calendars (.ics)'),
  both('immer', 'changes to nested state without mutation'),
  browser('leaflet', 'maps; import leaflet/dist/leaflet.css too', { types: '@types/leaflet', isHeavy: true }),
  browser('lucide-react', 'icons, one import each'),
  both('marked', 'Markdown to HTML; pass it through dompurify'),
  browser('motion', 'animation: import from motion/react'),
  both('nanoid', 'short random identifiers'),
  browser('papaparse', 'reads and writes CSV', { types: '@types/papaparse' }),
  both('pdf-lib', 'makes and fills PDF files', { isHeavy: true }),
  browser('qrcode.react', 'QR codes as SVG or canvas'),
  browser('react-day-picker', 'calendar to choose days and ranges'),
  browser('react-leaflet', 'leaflet as components', { isHeavy: true }),
  browser('recharts', 'charts as components', { isHeavy: true }),
  both('rrule', 'recurring dates (RFC 5545)'),
  both('slugify', 'text to a part of an address'),
  browser('three', '3D scenes', { types: '@types/three', isHeavy: true }),
  both('zustand', 'shared state of components'),
]

const Curated = PackagesFile.extend({
  /** Compressed size of the whole package in a bundle, in kB; an app that imports a part has less. */
  kilobytes: z.record(z.string(), z.number()),
})

/** Written by `scripts/curated-packages.ts` from a registry; every version is at least a week old. */
export const CURATED_LIST = Curated.parse(curated)

const byName = new Map(CURATED_PACKAGES.map((one) => [one.name, one]))

export const curatedOf = (name: string): CuratedPackage | undefined => byName.get(name)
