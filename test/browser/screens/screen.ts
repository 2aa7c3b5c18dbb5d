import type { Page } from 'playwright-core'
import type { WatchedPage } from '../browser.ts'

export interface Screen {
  name: string
  path: string
  /** Waits for an element that only this screen has, because the previous screen is shown until this one is loaded. */
  ready: (page: Page) => Promise<void>
  /** Errors that the page may report, such as a refusal that the screen shows on purpose. */
  reports?: RegExp
}

export const untilRoleVisible = (role: 'heading' | 'button' | 'tab', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().waitFor()

/** Opens an address, by loading the page (`load`) or by navigating in it (`follow`). */
export type Arrive = (page: Page, url: string) => Promise<unknown>

/** Opens the screens one after another and yields each as soon as it is ready. Asserts that no screen reported an unexpected error. */
export async function* visit(
  { page, assertQuiet }: WatchedPage,
  origin: string,
  screens: Iterable<Screen>,
  arrive: Arrive,
): AsyncGenerator<Screen> {
  let isSpoilt = true
  for (const screen of screens) {
    await (isSpoilt ? load : arrive)(page, origin + screen.path)
    await screen.ready(page)
    yield screen
    // The page keeps retrying a failed query, so load an empty page.
    isSpoilt = screen.reports !== undefined
    if (isSpoilt) await page.goto('about:blank')
    assertQuiet(screen.reports)
  }
}

export const load: Arrive = (page, url) => page.goto(url)

/** Navigates as a link of the console does, which takes a quarter of the time of `load`. */
export const follow: Arrive = async (page, url) => {
  await page.evaluate<void>(`(() => {
    const link = Object.assign(document.createElement('a'), { href: ${JSON.stringify(url)} })
    document.body.append(link)
    link.click()
    link.remove()
  })()`)
  const { pathname } = new URL(url)
  await page.waitForURL((at) => at.pathname === pathname)
}
