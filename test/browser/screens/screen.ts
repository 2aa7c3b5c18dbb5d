import type { Page } from 'playwright-core'

/** One screen of the matrix. */
export interface Screen {
  name: string
  path: string
  /** Waits for what shows that it has arrived, and stands on no screen before it: that stays until this one is there. */
  ready: (page: Page) => Promise<void>
  /** What the page may report, such as the refusal this screen is about. */
  reports?: RegExp
}

/** Waits until the first such element is on screen. */
export const seen = (role: 'heading' | 'button' | 'tab', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().waitFor()
