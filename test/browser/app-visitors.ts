import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { findViolations } from './axe.ts'
import { openPage, sidewaysOf, takeScreenshot } from './browser.ts'

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 850 }

/** Opens a path of an app on a phone, as a visitor with cookies of their own. */
export async function visitApp(browser: Browser, app: { url: URL }, path: string): Promise<Page> {
  const { page } = await openPage(browser, { viewport: PHONE })
  await page.goto(new URL(path, app.url).href)
  return page
}

/** Signs up on the sign-in page that is open. */
export async function signUpInApp(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByLabel('Email').fill(`${name.toLowerCase()}@example.test`)
  await page.getByLabel('Password').fill(`${name} likes apples`)
  await page.getByRole('button', { name: 'Create an account' }).click()
}

/** Agrees on the page of the local sign-in provider that is open, as the account of this name. */
export async function agreeAtProvider(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { name: 'Local sign-in provider' }).waitFor()
  await page.getByLabel('Email').fill(`${name.toLowerCase()}@example.test`)
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Asserts that a page of an app is accessible in both themes and widths, and does not scroll sideways. */
export async function assertSoundApp(page: Page, name: string): Promise<void> {
  for (const size of [DESK, PHONE]) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      // Colours have a CSS transition.
      await page.evaluate(
        'Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => null)',
      )
      await takeScreenshot(page, `${name}-${colorScheme}-${size.width}`)
      assert.deepEqual(await findViolations(page, 'all'), [], `${name}, ${colorScheme}, ${size.width}`)
    }
    assert.equal(await sidewaysOf(page), 0, `${name}, ${size.width}`)
  }
}
