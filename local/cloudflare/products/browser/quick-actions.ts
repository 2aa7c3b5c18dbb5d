import * as z from 'zod'
import type { Page } from './chromium.ts'
import { loadPage } from './load-page.ts'
import { markdownSource } from './markdown.ts'
import {
  type CommonOptions,
  ContentOptions,
  lengthInInches,
  paperSize,
  PdfOptions,
  ScreenshotOptions,
} from './options.ts'
import { BrowserRefusal } from './refusal.ts'

/** A file, or a string (`result`) that is returned inside the provider's JSON envelope. */
export type ActionResult = { bytes: Uint8Array<ArrayBuffer>; type: string } | { result: string }

export interface PageAction {
  options: CommonOptions
  perform(page: Page): Promise<ActionResult>
}

const DEFAULT_BACKGROUND = 'Emulation.setDefaultBackgroundColorOverride'

const QUICK_ACTIONS: Record<string, (given: unknown) => PageAction> = {
  pdf: (given) => {
    const options = parseOptions(PdfOptions, given)
    return { options, perform: (page) => printPage(page, options.pdfOptions) }
  },
  screenshot: (given) => {
    const options = parseOptions(ScreenshotOptions, given)
    return { options, perform: (page) => shootPage(page, options.screenshotOptions) }
  },
  content: (given) => ({
    options: parseOptions(ContentOptions, given),
    perform: async (page) => ({ result: await evaluateText(page, CONTENT_SCRIPT) }),
  }),
  markdown: (given) => ({
    options: parseOptions(ContentOptions, given),
    perform: async (page) => ({ result: await evaluateText(page, markdownSource) }),
  }),
}

const CONTENT_SCRIPT = `(document.doctype === null ? '' : '<!DOCTYPE ' + document.doctype.name + '>') + document.documentElement.outerHTML`

/**
 * Returns the action with its options. Throws a `BrowserRefusal` for an unknown action or invalid options. Called before a browser is
 * started, so that such a request starts none.
 */
export function readAction(name: string, given: unknown): PageAction {
  const make = Object.hasOwn(QUICK_ACTIONS, name) ? QUICK_ACTIONS[name] : undefined
  if (make === undefined)
    throw new BrowserRefusal(2000, `The action ${name} is not available in the local cloud`, 400)
  return make(given)
}

export async function performAction(page: Page, { options, perform }: PageAction): Promise<ActionResult> {
  await loadPage(page, options)
  return await perform(page)
}

function parseOptions<T>(schema: z.ZodType<T>, given: unknown): T {
  const found = schema.safeParse(given)
  if (!found.success) throw new BrowserRefusal(2001, z.prettifyError(found.error), 400)
  return found.data
}

async function printPage(
  page: Page,
  options: z.output<typeof PdfOptions>['pdfOptions'],
): Promise<ActionResult> {
  const [width, height] = paperSize(options.format)
  const { margin } = options
  const { data } = await page.send('Page.printToPDF', {
    landscape: options.landscape,
    printBackground: options.printBackground,
    preferCSSPageSize: options.preferCSSPageSize,
    scale: options.scale,
    pageRanges: options.pageRanges,
    paperWidth: lengthInInches(options.width, width),
    paperHeight: lengthInInches(options.height, height),
    marginTop: lengthInInches(margin.top, 0),
    marginRight: lengthInInches(margin.right, 0),
    marginBottom: lengthInInches(margin.bottom, 0),
    marginLeft: lengthInInches(margin.left, 0),
  })
  return { bytes: decodeBase64(data), type: 'application/pdf' }
}

async function shootPage(
  page: Page,
  { type, quality, fullPage, omitBackground }: z.output<typeof ScreenshotOptions>['screenshotOptions'],
): Promise<ActionResult> {
  if (omitBackground) await page.send(DEFAULT_BACKGROUND, { color: { r: 0, g: 0, b: 0, a: 0 } })
  const { data } = await page.send('Page.captureScreenshot', {
    format: type,
    ...(quality === undefined || type === 'png' ? {} : { quality }),
    captureBeyondViewport: fullPage,
    ...(fullPage ? { clip: await wholePage(page) } : {}),
  })
  return { bytes: decodeBase64(data), type: `image/${type}` }
}

const HEIGHT_MAX = 16_384

async function wholePage(page: Page): Promise<object> {
  const { cssContentSize } = await page.send('Page.getLayoutMetrics')
  const { width, height } = cssContentSize as { width: number; height: number }
  return { x: 0, y: 0, width, height: Math.min(height, HEIGHT_MAX), scale: 1 }
}

async function evaluateText(page: Page, expression: string): Promise<string> {
  const { result } = await page.send('Runtime.evaluate', { expression, returnByValue: true })
  return String((result as { value?: unknown }).value ?? '')
}

const decodeBase64 = (data: unknown): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(String(data), 'base64'))
