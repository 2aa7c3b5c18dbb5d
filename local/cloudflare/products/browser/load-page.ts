import { runInNewContext } from 'node:vm'
import type { Page } from './chromium.ts'
import type { CommonOptions } from './options.ts'
import { BrowserRefusal } from './refusal.ts'
import { withTimeout } from './timeout.ts'

const PATTERN_MS = 100

/** Waits for the requested load event. Throws a `BrowserRefusal`. */
export async function loadPage(page: Page, options: CommonOptions): Promise<void> {
  const { url, html, viewport } = options
  if ((url === undefined) === (html === undefined))
    throw new BrowserRefusal(2001, "Either 'url' or 'html' is required, but not both.", 400)
  await page.send('Page.enable')
  await page.send('Page.setLifecycleEventsEnabled', { enabled: true })
  await page.send('Emulation.setDeviceMetricsOverride', {
    width: viewport.width,
    height: viewport.height,
    deviceScaleFactor: viewport.deviceScaleFactor,
    mobile: viewport.isMobile,
  })
  if (!options.setJavaScriptEnabled) await page.send('Emulation.setScriptExecutionDisabled', { value: true })
  if (options.userAgent !== undefined)
    await page.send('Emulation.setUserAgentOverride', { userAgent: options.userAgent })
  if (options.setExtraHTTPHeaders !== undefined) {
    await page.send('Network.enable')
    await page.send('Network.setExtraHTTPHeaders', { headers: options.setExtraHTTPHeaders })
  }
  await filterRequests(page, options)
  const standing = waitFor(page, lifecycleEvents(options))
  await withTimeout(options.gotoOptions.timeout, async () => {
    if (url === undefined) await writeHtml(page, html ?? '')
    else await openAddress(page, url)
    await standing
  })
}

const LIFECYCLE_EVENTS = {
  load: 'load',
  domcontentloaded: 'DOMContentLoaded',
  networkidle0: 'networkIdle',
  // Sent when at most two requests are open. A page that keeps a connection open never sends `networkIdle`.
  networkidle2: 'networkAlmostIdle',
}

function lifecycleEvents({ gotoOptions }: CommonOptions): string[] {
  const events = [gotoOptions.waitUntil].flat().map((event) => LIFECYCLE_EVENTS[event])
  return events.length === 0 ? ['load'] : events
}

/**
 * Resolves when the new document has sent all these events. The event `init` marks the beginning of a new document, so events of the blank
 * first page, which come before `init`, are ignored. The first `init` is the main frame's. Events of frames inside the main frame are
 * ignored too: they have the same names, and an inner frame sends `load` before the main frame does.
 */
function waitFor(page: Page, events: string[]): Promise<void> {
  return new Promise((resolve) => {
    let mainFrame: unknown
    let missing = new Set(events)
    page.on('Page.lifecycleEvent', ({ name, frameId }) => {
      if (name === 'init') mainFrame ??= frameId
      if (mainFrame === undefined || frameId !== mainFrame) return
      if (name === 'init') missing = new Set(events)
      missing.delete(String(name))
      if (missing.size === 0) resolve()
    })
  })
}

async function openAddress(page: Page, url: string): Promise<void> {
  const { errorText } = await page.send('Page.navigate', { url })
  if (typeof errorText === 'string')
    throw new BrowserRefusal(2004, `The page could not be opened: ${errorText}`)
}

async function writeHtml(page: Page, html: string): Promise<void> {
  const { frameTree } = await page.send('Page.getFrameTree')
  const { frame } = frameTree as { frame: { id: string } }
  // Open a new document first: it sends the event `init`, for which `waitFor` waits.
  await page.send('Page.navigate', { url: 'about:blank#page' })
  await page.send('Page.setDocumentContent', { frameId: frame.id, html })
}

/**
 * Allows or blocks requests of the page by the regular expressions of the caller. An expression that runs longer
 * than `PATTERN_MS` counts as not matching.
 */
async function filterRequests(page: Page, options: CommonOptions): Promise<void> {
  const { allowRequestPattern: allowed, rejectRequestPattern: rejected } = options
  if (allowed === undefined && rejected === undefined) return
  const patterns = allowed ?? rejected ?? []
  page.on('Fetch.requestPaused', ({ requestId, request }) => {
    const { url } = request as { url: string }
    const isMatch = patterns.some((pattern) => matchesPattern(pattern, url))
    const isWanted = allowed === undefined ? !isMatch : isMatch
    const answer = isWanted
      ? page.send('Fetch.continueRequest', { requestId })
      : page.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
    // Ignore the error, because the page may have been closed meanwhile.
    answer.catch(() => {})
  })
  await page.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
}

function matchesPattern(pattern: string, url: string): boolean {
  const source = pattern.replace(/^\/(.*)\/[a-z]*$/s, '$1')
  try {
    return runInNewContext('new RegExp(source).test(url)', { source, url }, { timeout: PATTERN_MS }) === true
  } catch {
    return false
  }
}
