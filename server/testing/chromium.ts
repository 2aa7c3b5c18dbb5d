import { findBrowser } from '../agent/check/browser/find.ts'

/** Returns the path of the browser that tests start: the value of `SLIPWAY_CHROMIUM`, or else the browser that a check finds. */
export function testBrowserPath(): string {
  return process.env['SLIPWAY_CHROMIUM'] ?? findBrowser(null, process.env['PATH'] ?? '') ?? wholeBrowserPath()
}

/** Returns the path of the complete Chromium, for features that its headless shell lacks: push messages and the PDF viewer. */
export const wholeBrowserPath = (): string => process.env['SLIPWAY_CHROMIUM'] ?? '/usr/bin/chromium'
