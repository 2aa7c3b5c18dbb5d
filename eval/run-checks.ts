import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import type { Check } from './task.ts'

/** Time limit of one step in a page, and of one check. */
const CHECK_LIMITS = { actionMs: 10_000, checkMs: 30_000 }

/** Runs one check against the app at `url` in a new page; returns null when it passes, else why not. */
export async function runCheck(
  browser: Browser,
  url: string,
  check: Check,
  { actionMs, checkMs } = CHECK_LIMITS,
): Promise<string | null> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const ended = new AbortController()
  const late = sleep(checkMs, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`took longer than ${checkMs / 1000} s`)
  })
  const kept = async () => {
    context.setDefaultTimeout(actionMs)
    const page = await context.newPage()
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined))
    await page.goto(url)
    await check.run(page)
  }
  try {
    await Promise.race([kept(), late])
    return null
  } catch (error) {
    return `${check.name}: ${firstLines(error)}`
  } finally {
    ended.abort()
    await late.catch(() => undefined)
    await context.close()
  }
}

/** The message of a browser error as plain text, without its log. */
function firstLines(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // oxlint-disable-next-line no-control-regex -- colours are escape sequences, and files are read without a terminal
  const plain = text.replaceAll(/\u001b\[\d+m/g, '')
  return plain.split('\n').slice(0, 2).join(' ').slice(0, 300)
}
