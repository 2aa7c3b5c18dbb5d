import type { TestContext } from 'node:test'

const SCROLLER_PX = 600

/**
 * Gives the scrolling panes a height for one test. happy-dom has no layout, so each pane is 0 px high, and a long list in it would
 * show no row.
 */
export const giveScrollersHeight = (t: TestContext) =>
  t.mock.getter(HTMLElement.prototype, 'clientHeight', function (this: HTMLElement) {
    return this.matches('[data-scroller]') ? SCROLLER_PX : 0
  })
