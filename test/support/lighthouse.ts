import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse, { desktopConfig } from 'lighthouse'
import { type BrowserContext, chromium } from 'playwright-core'
import { testBrowserPath } from '../../server/testing/chromium.ts'
import { freePorts } from '../../server/testing/ports.ts'

export type Device = 'mobile' | 'desktop'

/** The results of Lighthouse: scores from 0 to 1, and the names of failed audits. */
export interface Scores {
  performance: number
  accessibility: number
  failed: string[]
}

/** A browser that Lighthouse and a test control in turn. Both share its cookies. */
export class LighthouseBrowser {
  readonly context: BrowserContext
  readonly #port: number
  readonly #profile: string

  private constructor(context: BrowserContext, port: number, profile: string) {
    this.context = context
    this.#port = port
    this.#profile = profile
  }

  static async launch(): Promise<LighthouseBrowser> {
    const [port = 0] = await freePorts(1)
    const profile = mkdtempSync(join(tmpdir(), 'slipway-lighthouse-'))
    const isRoot = process.getuid?.() === 0
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: testBrowserPath(),
      args: [`--remote-debugging-port=${port}`, ...(isRoot ? ['--no-sandbox'] : []), '--disable-gpu'],
    })
    return new LighthouseBrowser(context, port, profile)
  }

  async run(url: string, device: Device, categories: ('performance' | 'accessibility')[]): Promise<Scores> {
    // Retry once: rarely, Lighthouse itself starts its trace too late.
    const { lhr } =
      (await this.#runLighthouse(url, device, categories)) ??
      (await this.#runLighthouse(url, device, categories)) ??
      {}
    if (!lhr) throw new Error(`Lighthouse gave no result for ${url}`)
    const scoreOf = (name: string) => lhr.categories[name]?.score ?? 0
    return {
      performance: scoreOf('performance'),
      accessibility: scoreOf('accessibility'),
      failed: Object.values(lhr.audits)
        .filter((audit) => audit.scoreDisplayMode === 'binary' && audit.score === 0)
        .map(({ id }) => id),
    }
  }

  async #runLighthouse(url: string, device: Device, categories: string[]) {
    const result = await lighthouse(
      url,
      { port: this.#port, onlyCategories: categories, disableStorageReset: true, logLevel: 'silent' },
      device === 'desktop' ? desktopConfig : undefined,
    )
    return result?.lhr.runtimeError ? null : result
  }

  async close(): Promise<void> {
    await this.context.close()
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}
