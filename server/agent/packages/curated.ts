import * as z from 'zod'
import curated from './curated.json' with { type: 'json' }
import { PackagesFile } from '../source/packages-file.ts'

/** A package that any app may add. Its version, its checksum and its dependencies are in `curated.json`. */
export interface CuratedPackage {
  name: string
  purpose: string
  /** `browser`: the package needs a document or a screen, so `server/` cannot import it. */
  where: 'browser' | 'both'
  /** The package that contains the types; undefined when the types are in the package itself. */
  types?: string
  /** Too large for the first load of a page: an app must load it with a dynamic import. */
  isHeavy?: true
}

const browserPackage = (name: string, purpose: string, more: { types?: string; isHeavy?: true } = {}) =>
  ({ name, purpose, where: 'browser', ...more }) as const
const browserAndServerPackage = (
  name: string,
  purpose: string,
  more: { types?: string; isHeavy?: true } = {},
) => ({ name, purpose, where: 'both', ...more }) as const

export const CURATED_PACKAGES: readonly CuratedPackage[] = [
  browserPackage('@dnd-kit/core', 'drag and drop with pointer, touch and keyboard'),
  browserPackage('@dnd-kit/sortable', 'lists and boards sorted by dragging, on @dnd-kit/core'),
  browserPackage('@dnd-kit/utilities', 'CSS transforms for @dnd-kit'),
  browserPackage('@tanstack/react-table', 'table logic: sort, filter, group, page; no markup'),
  browserPackage('@tanstack/react-virtual', 'long lists that render only what is seen'),
  browserPackage('@tiptap/pm', 'the document model that @tiptap/react needs'),
  browserPackage('@tiptap/react', 'rich text editor for React', { isHeavy: true }),
  browserPackage('@tiptap/starter-kit', 'headings, lists, marks and history for @tiptap/react', {
    isHeavy: true,
  }),
  browserPackage('canvas-confetti', 'confetti on a canvas', { types: '@types/canvas-confetti' }),
  browserPackage('chart.js', 'charts on a canvas', { isHeavy: true }),
  browserAndServerPackage('chroma-js', 'colours: scales, mixing, contrast', { types: '@types/chroma-js' }),
  browserAndServerPackage('clsx', 'class names by condition'),
  browserAndServerPackage('d3-scale', 'scales from data to pixels', { types: '@types/d3-scale' }),
  browserAndServerPackage('d3-shape', 'lines, areas, arcs and stacks as SVG paths', {
    types: '@types/d3-shape',
  }),
  browserPackage('dompurify', 'makes HTML safe to show, for example that of marked'),
  browserPackage('embla-carousel-react', 'carousel with touch and keyboard'),
  browserAndServerPackage('expr-eval-fork', 'evaluates formulas that users write'),
  browserAndServerPackage('fflate', 'ZIP and gzip, made and read'),
  browserAndServerPackage('fuse.js', 'fuzzy search in a list'),
  browserPackage('highlight.js', 'colours source code', { isHeavy: true }),
  browserAndServerPackage('ical.js', 'reads and writes calendars (.ics)'),
  browserAndServerPackage('immer', 'changes to nested state without mutation'),
  browserPackage('leaflet', 'maps; import leaflet/dist/leaflet.css too', {
    types: '@types/leaflet',
    isHeavy: true,
  }),
  browserPackage('lucide-react', 'icons, one import each'),
  browserAndServerPackage('marked', 'Markdown to HTML; pass it through dompurify'),
  browserPackage('motion', 'animation: import from motion/react'),
  browserAndServerPackage('nanoid', 'short random identifiers'),
  browserPackage('papaparse', 'reads and writes CSV', { types: '@types/papaparse' }),
  browserAndServerPackage('pdf-lib', 'makes and fills PDF files', { isHeavy: true }),
  browserPackage('qrcode.react', 'QR codes as SVG or canvas'),
  browserPackage('react-day-picker', 'calendar to choose days and ranges'),
  browserPackage('react-leaflet', 'leaflet as components', { isHeavy: true }),
  browserPackage('recharts', 'charts as components', { isHeavy: true }),
  browserAndServerPackage('rrule', 'recurring dates (RFC 5545)'),
  browserAndServerPackage('slugify', 'text to a part of an address'),
  browserPackage('three', '3D scenes', { types: '@types/three', isHeavy: true }),
  browserAndServerPackage('zustand', 'shared state of components'),
]

const Curated = PackagesFile.extend({
  /** Compressed size of the whole package in a bundle, in kB. An app that imports only a part bundles less. */
  kilobytes: z.record(z.string(), z.number()),
})

/** `scripts/curated-packages.ts` writes the list from a registry. Every version is at least a week old. */
export const CURATED_LIST = Curated.parse(curated)

const byName = new Map(CURATED_PACKAGES.map((one) => [one.name, one]))

export const curatedOf = (name: string): CuratedPackage | undefined => byName.get(name)
