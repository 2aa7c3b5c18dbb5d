import type { ResultMethod } from '../kernel/objects/calls.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    render: RenderBinding
  }
}

/** The page to render: HTML, or an address, which is a path of the app or on an allowed host. */
export type PageSource = { url: string; html?: undefined } | { html: string; url?: undefined }

export type PdfOptions = PageSource & {
  /** The paper size; A4 by default. */
  format?: 'a3' | 'a4' | 'a5' | 'a6' | 'letter' | 'legal' | 'tabloid'
  landscape?: boolean
  /** The margin on all sides, such as `20mm`; 15 mm by default. */
  margin?: string
}

export type ScreenshotOptions = PageSource & {
  /** The window's size in pixels, 1280 by 800 by default. */
  width?: number
  height?: number
  /** Renders the whole page instead of the visible part. */
  fullPage?: boolean
}

export interface RenderSettings {
  monthly: number
  timeoutMs: number
  /** Hosts whose pages may be opened, in addition to the app's own hosts. */
  allowedHosts: readonly string[]
  maxBytes: number
}

/**
 * RPC calls from the app's worker to the live worker about renderings. Older releases, which a rollback
 * restores, use these names: add calls, never change one.
 */
export interface RenderCalls {
  /** Reserves one rendering of the month. Throws `rate_limited` when the budget is used up. */
  begin: { ask: null; answer: { id: string; settings: RenderSettings } }
  end: { ask: { id: string; isUsed: boolean }; answer: null }
}

export interface RenderBinding {
  renders: ResultMethod<RenderCalls>
}
