import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { SystemAccount } from '../../../world/account.ts'
import { Semaphore } from '../../../world/semaphore.ts'
import { Chromium } from './chromium.ts'
import { createProxy } from './proxy.ts'
import { type ActionResult, type PageAction, performAction, readAction } from './quick-actions.ts'
import { BrowserRefusal } from './refusal.ts'
import { withTimeout } from './timeout.ts'

const PAGES_AT_ONCE = 2
const IDLE_MS = 60_000
/** Time for opening the browser and closing the page, in addition to the page's own timeout. */
const STARTUP_ALLOWANCE_MS = 30_000

const NO_BROWSER =
  'Browser rendering needs a Chromium on this machine: install chromium or set SLIPWAY_CHROMIUM to the path of one.'

interface RenderingOptions {
  /** The path of the browser; null when there is none. Every action is then refused. */
  chromium: string | null
  dir: string
  /** Command prefix that ends the browser together with this process. */
  guard: string
  /** The system user that the browser runs as; null for the user of this process. */
  account: SystemAccount | null
  appsPort: number
  egressAllow: string[]
}

/** One Chromium, started on demand and closed when idle. */
export class BrowserRenderer {
  readonly #options: RenderingOptions
  readonly #pageSemaphore = new Semaphore(PAGES_AT_ONCE)
  #starting: Promise<{ chromium: Chromium; proxy: Server }> | null = null
  #idleTimer: NodeJS.Timeout | null = null
  #runningCount = 0

  constructor(options: RenderingOptions) {
    this.#options = options
    // Deletes browser profiles that an earlier process left.
    rmSync(options.dir, { recursive: true, force: true })
  }

  /** Performs one quick action. Throws a `BrowserRefusal` with the provider's code. */
  async runQuickAction(name: string, given: unknown): Promise<ActionResult> {
    const action = readAction(name, given)
    if (this.#options.chromium === null) throw new BrowserRefusal(2000, NO_BROWSER, 501)
    return await this.#pageSemaphore.run(async () => {
      this.#runningCount++
      try {
        return await this.#performInPage(action)
      } finally {
        this.#runningCount--
        this.#scheduleClose()
      }
    })
  }

  async close(): Promise<void> {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    const starting = this.#starting
    this.#starting = null
    const running = await starting?.catch(() => null)
    await running?.chromium.close()
    running?.proxy.close()
    running?.proxy.closeAllConnections()
  }

  async #performInPage(action: PageAction): Promise<ActionResult> {
    const opening = this.#ensureChromium().then(({ chromium }) => chromium.openPage())
    try {
      return await withTimeout(action.options.gotoOptions.timeout + STARTUP_ALLOWANCE_MS, async () =>
        performAction(await opening, action),
      )
    } finally {
      // Do not await: after the timeout, closing the page, and even opening it, may never finish.
      opening.then(
        (page) => page.close(),
        () => {},
      )
    }
  }

  async #ensureChromium(): Promise<{ chromium: Chromium; proxy: Server }> {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    const known = await this.#starting?.catch(() => null)
    if (known?.chromium.isGone === true) await this.close()
    const starting = (this.#starting ??= this.#launchChromium())
    try {
      return await starting
    } catch (error) {
      // Forget the failed start, or each later action would fail with the same error.
      if (this.#starting === starting) this.#starting = null
      throw error
    }
  }

  async #launchChromium(): Promise<{ chromium: Chromium; proxy: Server }> {
    const { chromium: path, dir, guard, account, appsPort, egressAllow } = this.#options
    const proxy = createProxy({ appsPort, allowed: egressAllow })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const before = guard === '' ? [] : guard.split(' ')
    try {
      return { chromium: new Chromium({ path: path ?? '', dir, proxy, guard: before, account }), proxy }
    } catch (error) {
      proxy.close()
      throw error
    }
  }

  #scheduleClose(): void {
    if (this.#runningCount > 0) return
    this.#idleTimer = setTimeout(() => void this.close(), IDLE_MS).unref()
  }
}
