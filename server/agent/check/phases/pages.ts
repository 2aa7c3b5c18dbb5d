import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { SAMPLE_ID } from '@slipway/runtime/testing/samples.ts'
import { matchPath } from '@slipway/runtime/web/match-path.ts'
import type { Manifest } from '../../source/manifest.ts'
import {
  type ResponderInput,
  createResponder,
  STUB_ORIGIN,
  type ViewState,
} from '../browser/stub-responses.ts'
import { axeSource, MissingBrowserError, type WarmBrowser, WIDE_VIEWPORT } from '../browser/browser.ts'
import { followLink, INSPECT_SCRIPT, AXE_SCRIPT, SETTLE_SCRIPT } from '../browser/in-page.ts'
import {
  BROWSER_CRASHED,
  type Inspection,
  PAGE_NOT_REACHED,
  PAGE_NAVIGATED_AWAY,
  PRIMARY_BUTTON,
  describeDeadLink,
  describeEndlessRequests,
  describeInspection,
  describeOverflow,
  describeRenderError,
  describeViolation,
  PAGE_HANGS,
  type Violation,
} from '../browser/messages.ts'
import { type CheckError, errorAt, type Picture } from '../../check-report.ts'
import { timeoutOnBusyMachine } from '../program.ts'
import { locate } from './boot.ts'

const PAGES_MAX = 12
/** Half of a check's time; the other phases need the other half. */
const PAGE_VIEWS_MS_MAX = 25_000
const BROWSER_STEP_MS_MAX = 8_000
const NARROW_VIEWPORT = { width: 390, height: 844 }
const JPEG_QUALITY = 60
/** One fault can cause many findings on a page. The first findings are enough to find the fault. */
const FINDINGS_OF_PAGE_MAX = 8

const ACCOUNT_PATHS = ['/sign-in', '/account', '/reset-password', '/teams']

type ManifestPage = Manifest['pages'][number]

export interface PagesInput extends ResponderInput {
  tree: ReadonlyMap<string, string>
  browser: WarmBrowser
  hasAccounts: boolean
  /** Paths that changed since the start of the build. The screenshots show the first changed page. */
  changed: readonly string[]
  /** Errors that the render to markup has found, so that they are not reported twice. */
  known: readonly CheckError[]
}

export interface PagesResult {
  errors: CheckError[]
  warnings: CheckError[]
  pictures: Picture[]
  /** False when the pages could not be opened. `errors` is then empty. */
  isSeen: boolean
}

/** Inspects every page in a browser, with and without records, wide and narrow. Faults of the app are results, not exceptions. */
export async function checkPages(input: PagesInput): Promise<PagesResult> {
  try {
    return await input.browser.use(async (open) => {
      const viewing = new Viewing(input)
      const deadline = AbortSignal.timeout(timeoutOnBusyMachine(PAGE_VIEWS_MS_MAX))
      const view = async (hasRecords: boolean) => viewing.viewAll(await open(), hasRecords, deadline)
      await Promise.all([view(true), view(false)])
      viewing.result.pictures.sort((a, b) => b.width - a.width)
      return viewing.result
    })
  } catch (error) {
    if (error instanceof MissingBrowserError) return { errors: [], warnings: [], pictures: [], isSeen: false }
    throw error
  }
}

interface CheckedTab {
  page: Page
  /** The state in which the app was loaded. Null when the app is not loaded or must not be used further. */
  loaded: ViewState | null
  state: ViewState
  thrown: { message: string; stack: string }[]
  /** Whether a request failed since the app was loaded. The samples, and not the app, may then cause a thrown error. */
  isRefused: boolean
  isCrashed: boolean
}

/** Thrown when a step on a page does not end within `BROWSER_STEP_MS_MAX`. Its tab is closed and replaced. */
class PageStuckError extends Error {}

class Viewing {
  readonly result: PagesResult = { errors: [], warnings: [], pictures: [], isSeen: true }
  readonly #input: PagesInput
  readonly #pages: ManifestPage[]
  readonly #picturePage: ManifestPage | undefined
  /** The findings already reported for each page. A page is viewed up to four times, but a fault is reported once. */
  readonly #reportedOfFile = new Map<string, Set<string>>()

  constructor(input: PagesInput) {
    this.#input = input
    const { pages } = input.manifest
    // Public pages come first, so that the app is loaded at most twice: for visitors and for signed-in people.
    this.#pages = pages.slice(0, PAGES_MAX).toSorted((a, b) => Number(!isPublic(a)) - Number(!isPublic(b)))
    this.#picturePage = pages.find(({ file }) => input.changed.includes(`web/pages/${file}`)) ?? pages[0]
    for (const { file, message } of input.known) this.#reportedIn(file).add(message)
  }

  /** Views all pages in one state. When a page hangs, its tab is closed and the next page gets a new tab. */
  async viewAll(first: Page, hasRecords: boolean, deadline: AbortSignal): Promise<void> {
    const context = first.context()
    let tab = this.#watchedTab(first, hasRecords)
    // Intercepts requests of the whole context, including requests of windows that a page opens.
    await context.route('**/*', (route) =>
      createResponder(this.#input, tab.state, () => {
        tab.isRefused = true
      })(route),
    )
    for (const page of this.#pages) {
      if (deadline.aborted) {
        this.#tell('warnings', page, hasRecords ? 'with sample records' : 'without records', PAGE_NOT_REACHED)
        continue
      }
      const isSignedIn = this.#input.hasAccounts && (hasRecords || !isPublic(page))
      const shown = `${hasRecords ? 'with sample records' : 'without records'}${isSignedIn ? ', signed in' : ''}`
      tab.state = { hasRecords, isSignedIn }
      tab.thrown = []
      try {
        await this.#view(tab, page, shown)
        this.#tellThrown(tab, page, shown)
      } catch (error) {
        if (context.browser()?.isConnected() !== true) throw error
        this.#tellThrown(tab, page, shown)
        if (error instanceof PageStuckError) this.#tell('errors', page, shown, PAGE_HANGS)
        else if (tab.isCrashed) this.#tell('errors', page, shown, BROWSER_CRASHED)
        else this.#tell('warnings', page, shown, PAGE_NAVIGATED_AWAY)
        void tab.page.close().catch(() => {})
        tab = this.#watchedTab(await context.newPage(), hasRecords)
      }
    }
  }

  #watchedTab(page: Page, hasRecords: boolean): CheckedTab {
    const state = { hasRecords, isSignedIn: false }
    const tab: CheckedTab = { page, loaded: null, state, thrown: [], isRefused: false, isCrashed: false }
    page.on('crash', () => {
      tab.isCrashed = true
    })
    page.on('popup', (popup) => void popup.close().catch(() => {}))
    page.on('pageerror', ({ message, stack = '' }) => tab.thrown.push({ message, stack }))
    page.on('console', (message) => {
      const text = message.text()
      // The browser also logs a console error for each failed response. Such an error is not thrown by the page.
      if (message.type() === 'error' && !text.startsWith('Failed to load resource'))
        tab.thrown.push({ message: text, stack: '' })
    })
    return tab
  }

  async #view(tab: CheckedTab, page: ManifestPage, shown: string): Promise<void> {
    const { hasRecords } = tab.state
    const [first, second] = this.#sizesOf(page, hasRecords)
    if (tab.page.viewportSize()?.width !== first.width) await withinStepTime(tab.page.setViewportSize(first))
    await navigateTab(tab, sampleAddress(page))
    const { state, url } = await withinStepTime(
      tab.page.evaluate<{ state: 'quiet' | 'endless' | 'late'; url: string | null }>(SETTLE_SCRIPT),
    )
    if (state === 'endless') {
      this.#tell('errors', page, shown, describeEndlessRequests(url))
      tab.loaded = null
      return
    }
    for (const violation of await withinStepTime(tab.page.evaluate<Violation[]>(AXE_SCRIPT)))
      this.#tell('errors', page, `${shown}, ${first.width} px`, describeViolation(violation))
    for (const size of [first, second]) {
      if (size === second) await withinStepTime(tab.page.setViewportSize(size))
      const found = await withinStepTime(tab.page.evaluate<Inspection>(INSPECT_SCRIPT))
      const where = `${shown}, ${size.width} px`
      if (found.sideways !== null) this.#tell('errors', page, where, describeOverflow(found.sideways))
      if ([...this.#reportedIn(pagePath(page))].some((told) => told.includes(PRIMARY_BUTTON)))
        found.primaries = []
      for (const text of describeInspection(found)) this.#tell('warnings', page, where, text)
      for (const { element, path } of found.links)
        if (!this.#isReachable(path)) this.#tell('warnings', page, where, describeDeadLink(element))
      if (hasRecords && page === this.#picturePage) await this.#takePicture(tab.page, page, size.width)
    }
  }

  /**
   * Returns the two widths at which a page is inspected, in order. The last width of the previous page comes first, because a new
   * layout costs as much as another page. axe runs only at the first width, so each page has another first width with records than
   * without.
   */
  #sizesOf(
    page: ManifestPage,
    hasRecords: boolean,
  ): [first: typeof WIDE_VIEWPORT, second: typeof WIDE_VIEWPORT] {
    const isWideFirst = (this.#pages.indexOf(page) % 2 === 0) === hasRecords
    return isWideFirst ? [WIDE_VIEWPORT, NARROW_VIEWPORT] : [NARROW_VIEWPORT, WIDE_VIEWPORT]
  }

  async #takePicture(shown: Page, page: ManifestPage, width: number): Promise<void> {
    const bytes = await withinStepTime(
      shown.screenshot({ type: 'jpeg', quality: JPEG_QUALITY, scale: 'css' }),
    )
    this.result.pictures.push({ page: pagePath(page), width, mediaType: 'image/jpeg', bytes })
  }

  #isReachable(path: string): boolean {
    const { manifest, web, hasAccounts } = this.#input
    return (
      web[path] !== undefined ||
      /^\/(?:_app|api)\//.test(path) ||
      (hasAccounts && ACCOUNT_PATHS.includes(path)) ||
      matchPath(
        manifest.pages.map((page) => page.path),
        path,
      ) !== null
    )
  }

  #tellThrown({ thrown, isRefused }: CheckedTab, page: ManifestPage, shown: string): void {
    for (const { message, stack } of thrown)
      this.#tell(isRefused ? 'warnings' : 'errors', page, shown, describeRenderError(message), stack)
  }

  #tell(kind: 'errors' | 'warnings', page: ManifestPage, where: string, what: string, stack = ''): void {
    const told = this.#reportedIn(pagePath(page))
    if (told.has(what) || told.size >= FINDINGS_OF_PAGE_MAX) return
    told.add(what)
    const { tree, web } = this.#input
    const error = {
      phase: 'pages' as const,
      file: pagePath(page),
      code: kind === 'errors' ? 'page' : 'look',
      message: `${page.path} (${where}): ${what}`,
    }
    this.result[kind].push(
      stack === ''
        ? errorAt(tree, error)
        : locate({ tree, workers: [{ modules: scriptsOf(web) }] }, { ...error, stack: withoutOrigin(stack) }),
    )
  }

  #reportedIn(file: string): Set<string> {
    const told = this.#reportedOfFile.get(file) ?? new Set()
    this.#reportedOfFile.set(file, told)
    return told
  }
}

/** Navigates inside the loaded app where possible, because loading its scripts again takes ten times as long. */
async function navigateTab(tab: CheckedTab, address: string): Promise<void> {
  if (tab.loaded?.isSignedIn === tab.state.isSignedIn)
    return await withinStepTime(tab.page.evaluate(followLink(address)))
  tab.isRefused = false
  await withinStepTime(tab.page.goto(`${STUB_ORIGIN}${address}`, { waitUntil: 'commit' }))
  await withinStepTime(tab.page.evaluate(axeSource()))
  tab.loaded = tab.state
}

const isPublic = ({ access = 'public' }: ManifestPage): boolean => access === 'public'
const pagePath = ({ file }: ManifestPage) => `web/pages/${file}`
const sampleAddress = ({ path }: ManifestPage) => path.replaceAll(/:[A-Za-z0-9]+/g, SAMPLE_ID)
const withoutOrigin = (stack: string) => stack.replaceAll(`${STUB_ORIGIN}/`, '/')

function scriptsOf(web: ResponderInput['web']): Record<string, string> {
  const texts = Object.entries(web).filter(([path]) => /\.(?:js|map)$/.test(path))
  const map = texts.find(([path]) => path.endsWith('.map'))?.[1]
  return Object.fromEntries(
    texts
      .filter(([path]) => path.endsWith('.js'))
      .flatMap(([path, { bytes }]) => [
        [path.slice(1), decodeText(bytes)],
        ...(map === undefined ? [] : [[`${path.slice(1)}.map`, decodeText(map.bytes)]]),
      ]),
  )
}

const decodeText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

/** Rejects with `PageStuckError` when a step of the browser does not end. */
async function withinStepTime<T>(step: Promise<T>): Promise<T> {
  const timer = new AbortController()
  const late = sleep(timeoutOnBusyMachine(BROWSER_STEP_MS_MAX), undefined, { signal: timer.signal }).then(
    () => {
      throw new PageStuckError('the page does not answer')
    },
  )
  try {
    return await Promise.race([step, late])
  } finally {
    timer.abort()
    late.catch(() => {})
    step.catch(() => {})
  }
}
