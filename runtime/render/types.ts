import type { ResultMethod } from '../kernel/calls.ts'

/** What is rendered: a page by its address, or HTML. An address is a path of the app or one on an allowed host. */
export type PageSource = { url: string; html?: undefined } | { html: string; url?: undefined }

export type PdfOptions = PageSource & {
  /** A4 by default. */
  format?: 'a3' | 'a4' | 'a5' | 'a6' | 'letter' | 'legal' | 'tabloid'
  landscape?: boolean
  /** On all sides, like `20mm`; 15 mm by default. */
  margin?: string
}

export type ScreenshotOptions = PageSource & {
  /** In pixels, 1280 and 800 by default. */
  width?: number
  height?: number
  /** The whole page instead of the window only. */
  fullPage?: boolean
}

export interface RenderSettings {
  monthly: number
  timeoutMs: number
  /** Hosts whose pages may be opened beside those of the app. */
  allowedHosts: readonly string[]
  maxBytes: number
}

/** Calls of the app's worker about its renderings. Methods are added, never changed: older releases call them. */
export interface RenderCalls {
  /** Reserves one rendering of the month. Throws `rate_limited` past the budget. */
  begin: { ask: null; answer: { id: string; settings: RenderSettings } }
  end: { ask: { id: string; isUsed: boolean }; answer: null }
}

export interface RenderBinding {
  renders: ResultMethod<RenderCalls>
}
