import './browser-stubs.ts'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { pages, type PageEntry } from '../pages.gen.ts'
import { RouteContext } from '../web/navigation.tsx'

interface SmokeResult {
  page: string
  ok: boolean
  error: string | null
  warning: string | null
}

/** Renders every page once: GET / returns one result per page. */
export default {
  fetch: (): Response => Response.json(pages.map(renderPage)),
}

function renderPage(page: PageEntry): SmokeResult {
  const names = [...page.path.matchAll(/:([A-Za-z0-9]+)/g)].map(([, name = '']) => name)
  const params = Object.fromEntries(names.map((name) => [name, 'sample-id']))
  const value = { path: page.path, params }
  const result = { page: page.file, ok: true, error: null, warning: null }
  try {
    renderToString(createElement(RouteContext, { value }, createElement(page.component)))
    return result
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    // A browser has what is missing here, so the page may well work there.
    const isBrowserOnly =
      error instanceof ReferenceError || /(?:document|window|localStorage)\b/.test(text.split('\n')[0] ?? '')
    return isBrowserOnly ? { ...result, warning: text } : { ...result, ok: false, error: text }
  }
}
