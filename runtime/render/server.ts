import { env } from 'cloudflare:workers'
import { requireLive } from '../kernel/env.ts'
import { invalid, valueIn } from '../kernel/errors.ts'
import { ownOrigins } from '../kernel/own-origins.ts'
import { type Action, act, type Browser } from './act.ts'
import type { PageSource, PdfOptions, RenderBinding, RenderCalls, ScreenshotOptions } from './types.ts'

const FORMATS = ['a3', 'a4', 'a5', 'a6', 'letter', 'legal', 'tabloid']
const PIXELS_MAX = 4000

/** PDF files, pictures and text of pages. Each call counts against the pages of the month. */
export interface ServerRender {
  /** Returns the bytes of a PDF file. */
  pdf(page: PdfOptions): Promise<Uint8Array<ArrayBuffer>>
  /** Returns the bytes of a PNG picture. */
  screenshot(page: ScreenshotOptions): Promise<Uint8Array<ArrayBuffer>>
  /** Returns what a page says, as Markdown. */
  markdown(page: PageSource): Promise<string>
  /** Returns the HTML of a page after its scripts have run. */
  html(page: { url: string }): Promise<string>
}

export const render: ServerRender = {
  async pdf({ format = 'a4', landscape = false, margin = '15mm', ...source }) {
    if (!FORMATS.includes(format)) throw invalid('format', `must be one of ${FORMATS.join(', ')}`)
    if (!/^\d{1,3}(?:\.\d+)?(?:mm|cm|in|px)$/.test(margin)) throw invalid('margin', 'must be like 15mm')
    const sides = { top: margin, right: margin, bottom: margin, left: margin }
    const pdfOptions = { format, landscape, margin: sides, printBackground: true }
    return call('pdf', source, { pdfOptions })
  },

  async screenshot({ width = 1280, height = 800, fullPage = false, ...source }) {
    for (const [name, value] of Object.entries({ width, height }))
      if (!Number.isInteger(value) || value < 1 || value > PIXELS_MAX)
        throw invalid(name, `must be a whole number from 1 to ${PIXELS_MAX}`)
    return call('screenshot', source, { viewport: { width, height }, screenshotOptions: { fullPage } })
  },

  markdown: ({ ...source }) => text('markdown', source),
  html: ({ url }) => text('content', { url }),
}

async function call(action: Action, source: PageSource, options: object) {
  const live = requireLive('render') as unknown as RenderBinding
  const budget = {
    begin: () => ask(live, 'begin', null),
    end: (id: string, isUsed: boolean) => ask(live, 'end', { id, isUsed }),
  }
  const browser = env['BROWSER'] as Browser
  return act({ browser, budget, own: ownOrigins() }, action, { source, options })
}

async function ask<Kind extends keyof RenderCalls>(
  live: RenderBinding,
  kind: Kind,
  given: RenderCalls[Kind]['ask'],
): Promise<RenderCalls[Kind]['answer']> {
  return valueIn(await live.renders(kind, given))
}

/** The provider wraps text in an envelope. */
async function text(action: Action, source: PageSource): Promise<string> {
  const bytes = await call(action, source, {})
  const { result } = JSON.parse(new TextDecoder().decode(bytes)) as { result: string }
  return result
}
