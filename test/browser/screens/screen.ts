import type { Page } from 'playwright-core'

/** One screen of the matrix: where it is, and what shows that it has arrived. */
export interface Screen {
  name: string
  path: string
  ready: (page: Page) => Promise<void>
  /** What the page may report, such as the refusal this screen is about. */
  reports?: RegExp
}

/** Waits until the first such element is on screen. */
export const seen = (role: 'heading' | 'button' | 'tab', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().waitFor()
