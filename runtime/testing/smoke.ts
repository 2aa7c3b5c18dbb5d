import './browser-stubs.ts'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { manifest } from '../manifest.gen.ts'
import { pages, type PageEntry } from '../pages.gen.ts'
import { renderRows, type RowSource } from '../data/client/hooks.ts'
import { RouteContext } from '../web/navigation.tsx'
import { type Findings, inspectMarkup } from './markup.ts'
import { emptySnapshot, SAMPLE_ID, sampleRecords } from './samples.ts'

interface SmokeResult extends Findings {
  page: string
  ok: boolean
  /** Which records the page had when it threw an error, such as none or sample records; null when the page did not throw. */
  state: string | null
  error: string | null
  warning: string | null
}

const sampleRows: RowSource = (collection, query) => ({
  ...emptySnapshot(),
  rows: sampleRecords(manifest.collections[collection]?.fields ?? {}, query),
})

/** Each page is rendered while its records load, without records, and with sample records. */
const LIST_STATES: [string, RowSource | null][] = [
  ['while its records load', null],
  ['without records', emptySnapshot],
  ['with sample records, one of them without its optional fields', sampleRows],
]

/** GET `/` renders every page and returns one result for each. */
export default {
  fetch: (): Response => Response.json(pages.map(renderPage)),
}

function renderPage(page: PageEntry): SmokeResult {
  const result: SmokeResult = {
    page: page.file,
    ok: true,
    state: null,
    error: null,
    warning: null,
    errors: [],
    warnings: [],
  }
  const found: Findings[] = []
  for (const [state, rows] of LIST_STATES) {
    renderRows(rows)
    try {
      found.push(inspectMarkup(renderToString(elementOf(page))))
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      // The page uses a browser API that this check does not provide, so it may render correctly in a browser.
      const isBrowserOnly =
        error instanceof ReferenceError ||
        /(?:document|window|localStorage)\b/.test(text.split('\n')[0] ?? '')
      return isBrowserOnly
        ? { ...result, state, warning: text }
        : { ...result, ok: false, state, error: text }
    }
  }
  const all = (kind: keyof Findings) => [...new Set(found.flatMap((one) => one[kind]))]
  return { ...result, errors: all('errors'), warnings: all('warnings') }
}

function elementOf(page: PageEntry) {
  const names = [...page.path.matchAll(/:([A-Za-z0-9]+)/g)].map(([, name = '']) => name)
  const params = Object.fromEntries(names.map((name) => [name, SAMPLE_ID]))
  return createElement(RouteContext, { value: { path: page.path, params } }, createElement(page.component))
}
