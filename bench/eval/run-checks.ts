import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import type { Check } from './task.ts'

/** The time limits of one step in a page and of one check. */
export const CHECK_LIMITS = { actionMs: 10_000, checkMs: 30_000 }

interface CheckOptions {
  actionMs: number
  checkMs: number
  /** The file for a screenshot of the page when the check fails. */
  picture?: string | null
}

/** Runs one check against the app at `url` in a new page. Returns null when it passes, otherwise the reason. */
export async function runCheck(
  browser: Browser,
  url: string,
  check: Check,
  { actionMs, checkMs, picture }: CheckOptions = CHECK_LIMITS,
): Promise<string | null> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  // Start the timer directly before the race: a rejection before the race has no handler and would end the process.
  const ended = new AbortController()
  const late = sleep(checkMs, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`took longer than ${checkMs / 1000} s`)
  })
  const openAndCheck = async () => {
    page.setDefaultTimeout(actionMs)
    page.setDefaultNavigationTimeout(checkMs)
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined))
    await page.goto(url)
    await check.run(page)
  }
  try {
    await Promise.race([openAndCheck(), late])
    return null
  } catch (error) {
    // Ignore a failed screenshot, so that the reason of the failed check is returned.
    if (picture) await page.screenshot({ path: picture, fullPage: true }).catch(() => undefined)
    return `${check.name}: ${firstLines(error)}`
  } finally {
    ended.abort()
    await late.catch(() => undefined)
    await context.close()
  }
}

/** Writes a screenshot of the app's first page, as a visitor sees it. */
export async function takePicture(browser: Browser, url: string, file: string | null): Promise<void> {
  if (file === null) return
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  try {
    await page.goto(url)
    await page.getByRole('heading').first().waitFor()
    await page.screenshot({ path: file, fullPage: true })
  } catch {
    // An app that does not start has no screenshot. Its checks report the failure.
  } finally {
    await page.close()
  }
}

/** Returns the message of a browser error as plain text, without the browser's log. */
function firstLines(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // oxlint-disable-next-line no-control-regex -- colours are escape sequences, and files are read without a terminal
  const plain = text.replaceAll(/\u001b\[\d+m/g, '')
  return plain.split('\n').slice(0, 2).join(' ').slice(0, 300)
}
