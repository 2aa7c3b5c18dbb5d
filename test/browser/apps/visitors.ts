import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { connectAuthenticator } from '../authenticator.ts'
import { findViolations } from '../axe.ts'
import { openPage, horizontalOverflowPx, takeScreenshot } from '../browser.ts'

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 850 }

/** Opens a page of an app with the viewport of a phone, as a visitor with separate cookies. */
export async function visitApp(
  browser: Browser,
  app: { url: URL },
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const { page } = await openPage(browser, { viewport: PHONE, ...options })
  await page.goto(new URL(path, app.url).href)
  return page
}

export async function signUpInApp(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByLabel('Email').fill(`${name.toLowerCase()}@example.test`)
  await page.getByLabel('Password').fill(`${name} likes apples`)
  await page.getByRole('button', { name: 'Create an account' }).click()
}

/** Adds a record with the form of the open page, and waits until the list shows it. */
export async function addEntry(page: Page, title: string): Promise<void> {
  await page.getByLabel('Title').fill(title)
  await page.getByRole('button', { name: 'Add entry' }).click()
  await page.getByRole('list').or(page.getByRole('table')).getByText(title).first().waitFor()
}

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Creates a team on the open page `/teams`. */
export async function makeTeam(page: Page, name: string): Promise<void> {
  await page.getByLabel('Team name').fill(name)
  await press(page, 'Create team')
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

/** Returns the link of a new invitation to the team whose page is open. */
export async function inviteToTeam(page: Page): Promise<string> {
  await press(page, 'Make link')
  return (await page.getByRole('status').locator('code').textContent()) ?? ''
}

/** Signs in on the open sign-in page. `readCode` returns the mailed code. */
export async function signInByCode(
  page: Page,
  email: string,
  readCode: () => Promise<string>,
): Promise<void> {
  await page.getByRole('button', { name: 'Get a code by email' }).click()
  await page.getByLabel('Email for the code').fill(email)
  await page.getByRole('button', { name: 'Send a code' }).click()
  await page.getByLabel('Code', { exact: true }).waitFor()
  await page.getByLabel('Code', { exact: true }).fill(await readCode())
  await page.getByRole('button', { name: 'Sign in with the code' }).click()
}

/** Adds a passkey to the account named `name`. The account page stays open. */
export async function addPasskey(page: Page, name: string): Promise<void> {
  await connectAuthenticator(page)
  await page.getByRole('link', { name }).click()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Not used yet').waitFor()
}

/** Signs out on the open account page, and signs in again with the passkey. */
export async function returnByPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('link', { name }).waitFor()
}

/** Signs in on the open page of the local sign-in provider, with the account of this name. */
export async function agreeAtProvider(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { name: 'Local sign-in provider' }).waitFor()
  await page.getByLabel('Email').fill(`${name.toLowerCase()}@example.test`)
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Asserts that a page of an app is accessible in both themes and at both widths, and does not scroll sideways. */
export async function assertSoundApp(page: Page, name: string): Promise<void> {
  for (const size of [DESK, PHONE]) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      // Scroll to the top: below the translucent bar, text would not have the colors of its style.
      await page.evaluate('window.scrollTo(0, 0)')
      // Wait for animations, because new content may still be fading in.
      await page.evaluate(
        'Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => null)',
      )
      await takeScreenshot(page, `${name}-${colorScheme}-${size.width}`)
      // The dark theme differs only in colors, so check only the colors again.
      const kind = colorScheme === 'light' ? 'all' : 'colours'
      assert.deepEqual(await findViolations(page, kind), [], `${name}, ${colorScheme}, ${size.width}`)
    }
    assert.equal(await horizontalOverflowPx(page), 0, `${name}, ${size.width}`)
  }
}
