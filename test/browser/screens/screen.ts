import type { Page } from 'playwright-core'

/** One screen of the matrix. */
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

/** Waits until the first matching element is visible. */
export const seen = (role: 'heading' | 'button' | 'tab', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().waitFor()
