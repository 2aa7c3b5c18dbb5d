import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { INSPECT_SCRIPT, AXE_SCRIPT, WATCH_SCRIPT } from './in-page.ts'

/** Between two checks of a build the model works for seconds. A browser that is idle for two minutes is closed to free memory. */
const IDLE_MS = 2 * 60_000
const BROWSER_START_MS_MAX = 10_000
/** A check uses two tabs at the same time: one shows the pages with records, the other without records. */
const SPARE_BROWSERS = 2
export const WIDE_VIEWPORT = { width: 1280, height: 800 }
const LAUNCHER_SCRIPT = fileURLToPath(new URL('./chromium.sh', import.meta.url))

/**
 * A check intercepts every request of a page. These flags also block traffic that is not a request (WebRTC) or that an interception might
 * miss: no host name resolves, and every connection goes to a proxy that does not exist.
 */
const NO_NETWORK = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://nowhere.invalid:1',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
]
const CHROMIUM_SWITCHES = [
  ...NO_NETWORK,
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-software-rasterizer',
  '--disable-sync',
]

/** Thrown when the browser failed to start or crashed twice in a row. */
export class MissingBrowserError extends Error {}

/** Keeps one browser warm for the checks of this process. The browser is closed with the process, and after `IDLE_MS` without a check. */
export class WarmBrowser {
  readonly #path: string
  #starting: Promise<Browser> | null = null
  /** Empty tabs opened in advance, each in a separate context, because opening a tab takes a quarter of a second. */
  #sparePages: Promise<Page>[] = []
  #idleTimer: NodeJS.Timeout | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Starts the browser, so that the first check does not wait for it. */
  warm(): void {
    void this.#start().then(
      (browser) => this.#keepSpares(browser),
      () => {},
    )
    this.#closeWhenIdle()
  }

  /**
   * Runs `work` in tabs that share nothing and are closed afterwards. If the browser ends during `work`, starts the browser again and
   * repeats `work` once. Throws `MissingBrowserError` when the repetition fails as well.
   */
  async use<T>(work: (open: () => Promise<Page>) => Promise<T>): Promise<T> {
    clearTimeout(this.#idleTimer)
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#useOnce(work)
        } catch (error) {
          if (await this.#isRunning()) throw error
          if (attempt === 2) throw new MissingBrowserError('the browser ended twice', { cause: error })
        }
      }
    } finally {
      this.#closeWhenIdle()
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const starting = this.#starting
    this.#starting = null
    this.#sparePages = []
    const browser = await starting?.catch(() => null)
    await browser?.close().catch(() => {})
  }

  async #useOnce<T>(work: (open: () => Promise<Page>) => Promise<T>): Promise<T> {
    const browser = await this.#start()
    const used: Page[] = []
    const open = async () => {
      const page = await (this.#sparePages.pop() ?? openTab(browser))
      used.push(page)
      return page
    }
    try {
      return await work(open)
    } finally {
      for (const page of used) void closeContext(page)
      this.#keepSpares(browser)
    }
  }

  #keepSpares(browser: Browser): void {
    while (this.#starting !== null && this.#sparePages.length < SPARE_BROWSERS) {
      const spare = openTab(browser)
      // The check that takes this tab receives the rejection. This line prevents an unhandled rejection until then.
      spare.catch(() => {})
      this.#sparePages.push(spare)
    }
  }

  async #isRunning(): Promise<boolean> {
    const browser = await this.#starting?.catch(() => null)
    return browser?.isConnected() === true
  }

  async #start(): Promise<Browser> {
    const running = await this.#starting?.catch(() => null)
    if (running?.isConnected() === true) return running
    this.#sparePages = []
    this.#starting = this.#launch()
    return await this.#starting
  }

  /**
   * Launches the browser. Chromium's sandbox needs rights that a container seldom has, and refuses to run as root. In
   * these cases launches the browser without the sandbox. The memory and time limits of the check process still apply.
   */
  async #launch(): Promise<Browser> {
    const { chromium } = await import('playwright-core')
    const launch = (chromiumSandbox: boolean) =>
      chromium.launch({
        executablePath: LAUNCHER_SCRIPT,
        env: { ...process.env, SLIPWAY_BROWSER: this.#path },
        args: CHROMIUM_SWITCHES,
        chromiumSandbox,
        timeout: BROWSER_START_MS_MAX,
        handleSIGHUP: false,
        handleSIGINT: false,
        handleSIGTERM: false,
      })
    if (process.getuid?.() === 0) return await launch(false)
    return await launch(true).catch(() => launch(false))
  }

  #closeWhenIdle(): void {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => void this.close(), IDLE_MS).unref()
  }
}

/** One element of each inspected kind, so that axe and the inspection are compiled before the first check. */
const WARM_UP =
  '<main><h1>A</h1><form><label>B <input></label><select aria-label="C"></select><button>D</button></form>' +
  '<ul><li><a href="/">E</a></li></ul><table><tr><th>F</th><td>G</td></tr></table></main>'

async function openTab(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    acceptDownloads: false,
    colorScheme: 'light',
    locale: 'en-US',
    // Without this option, elements would be inspected and captured in the middle of an animation.
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    timezoneId: 'UTC',
    viewport: WIDE_VIEWPORT,
  })
  await context.addInitScript(WATCH_SCRIPT)
  const page = await context.newPage()
  // V8 caches the scripts compiled here, so the pages of a checked app need not compile them again.
  await page.setContent(WARM_UP)
  await page.evaluate(axeSource())
  await page.evaluate(AXE_SCRIPT)
  await page.evaluate(INSPECT_SCRIPT)
  return page
}

async function closeContext(page: Page): Promise<void> {
  await page
    .context()
    .close()
    .catch(() => {})
}

let cachedAxe: string | null = null

export function axeSource(): string {
  cachedAxe ??= readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  return cachedAxe
}
