import type { Page } from 'playwright-core'
import type { WatchedPage } from '../browser.ts'

export interface Screen {
  name: string
  path: string
  /**
   * Waits for an element that only this screen has, because the previous screen stays until this one is
   * loaded.
   */
  ready: (page: Page) => Promise<void>
  /** Errors that the page may report, such as the refusal that this screen shows. */
  reports?: RegExp
}

export const seen = (role: 'heading' | 'button' | 'tab', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().waitFor()

/** Goes to an address: `load` or `follow`. */
export type Arrive = (page: Page, url: string) => Promise<unknown>

/** Shows the screens one after another and yields each as soon as it is ready; asserts that it stayed quiet. */
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
    // A query that failed is retried for as long as the page lives, so open a new page.
    isSpoilt = screen.reports !== undefined
    if (isSpoilt) await page.goto('about:blank')
    assertQuiet(screen.reports)
  }
}

export const load: Arrive = (page, url) => page.goto(url)

/** Navigates by a link of the console: a quarter of the cost of `load`. */
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
