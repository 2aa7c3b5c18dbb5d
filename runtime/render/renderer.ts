import { ApiError, invalid, unwrapResult } from '../kernel/errors.ts'
import { type Action, renderWithinBudget, type Browser } from './within-budget.ts'
import type { PageSource, PdfOptions, RenderBinding, RenderCalls, ScreenshotOptions } from './types.ts'
import { fieldsOf, requireWholeNumber } from '../kernel/fields.ts'

const PAPER_FORMATS = ['a3', 'a4', 'a5', 'a6', 'letter', 'legal', 'tabloid']
const PIXELS_MAX = 4000

/** Renders a page as a PDF file, a picture, text or HTML. Each call counts toward the month's budget of renderings. */
export interface ServerRender {
  pdf(page: PdfOptions): Promise<Uint8Array<ArrayBuffer>>
  /** Returns the bytes of a PNG picture. */
  screenshot(page: ScreenshotOptions): Promise<Uint8Array<ArrayBuffer>>
  markdown(page: PageSource): Promise<string>
  /** Returns the HTML of a page after its scripts have run. */
  html(page: { url: string }): Promise<string>
}

export interface RenderDeps {
  browser: Browser
  counter: RenderBinding
  own: string[]
}

/** Calls `partsOf` only when a page is rendered, because `partsOf` throws while the capability `render` is off. */
export function createRenderer(partsOf: () => RenderDeps): ServerRender {
  const callBrowser = (action: Action, source: PageSource, options: object) => {
    const { browser, counter, own } = partsOf()
    const budget = {
      begin: () => callCounter(counter, 'begin', null),
      end: (id: string, isUsed: boolean) => callCounter(counter, 'end', { id, isUsed }),
    }
    return renderWithinBudget({ browser, budget, own }, action, { source, options })
  }
  const text = async (action: Action, source: PageSource): Promise<string> => {
    const bytes = await callBrowser(action, source, {})
    const { result } = fieldsOf(JSON.parse(new TextDecoder().decode(bytes)))
    if (typeof result !== 'string') throw new ApiError('unavailable', 'The page could not be rendered.')
    return result
  }
  return {
    async pdf({ format = 'a4', landscape = false, margin = '15mm', ...source }) {
      if (!PAPER_FORMATS.includes(format))
        throw invalid('format', `must be one of ${PAPER_FORMATS.join(', ')}`)
      if (!/^\d{1,3}(?:\.\d+)?(?:mm|cm|in|px)$/.test(margin)) throw invalid('margin', 'must be like 15mm')
      const sides = { top: margin, right: margin, bottom: margin, left: margin }
      const pdfOptions = { format, landscape, margin: sides, printBackground: true }
      return callBrowser('pdf', source, { pdfOptions })
    },

    async screenshot({ width = 1280, height = 800, fullPage = false, ...source }) {
      for (const [name, value] of Object.entries({ width, height }))
        requireWholeNumber(name, value, PIXELS_MAX)
      return callBrowser('screenshot', source, {
        viewport: { width, height },
        screenshotOptions: { fullPage },
      })
    },

    markdown: async ({ ...source }) => text('markdown', source),
    html: async ({ url }) => text('content', { url }),
  }
}

async function callCounter<Kind extends keyof RenderCalls>(
  counter: RenderBinding,
  kind: Kind,
  given: RenderCalls[Kind]['ask'],
): Promise<RenderCalls[Kind]['answer']> {
  return unwrapResult(await counter.renders(kind, given))
}
