import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent } from '@testing-library/react'
import { show } from '../testing/console.tsx'
import { routedPath } from './links.ts'

/** Clicks the element with the id `at`. Returns the path that the console opens, or null when the browser handles the click. */
function click(part: React.ReactElement, init: MouseEventInit = {}, isHandled = false): string | null {
  let path: string | null = null
  const { container, unmount } = show(part)
  const listen = (event: MouseEvent) => {
    if (isHandled) event.preventDefault()
    path = routedPath(event)
    event.preventDefault()
  }
  document.addEventListener('click', listen)
  fireEvent.click(container.querySelector('#at') as Element, init)
  document.removeEventListener('click', listen)
  unmount()
  return path
}
const link = (props: React.ComponentProps<'a'> = {}) => (
  <a id="at" href="/projects?q=a#x" {...props}>
    Projects
  </a>
)

describe('a click on a link of a page', () => {
  test('a click on a link, or on a picture in a link, opens the page without reloading the console', () => {
    assert.equal(click(link()), '/projects?q=a#x')
    const withIcon = (
      <a href="/activity">
        <svg id="at" />
      </a>
    )
    assert.equal(click(withIcon), '/activity')
  })

  test('a click on a link with a held key or another mouse button is left to the browser', () => {
    for (const init of [
      { metaKey: true },
      { ctrlKey: true },
      { shiftKey: true },
      { altKey: true },
      { button: 1 },
    ])
      assert.equal(click(link(), init), null, JSON.stringify(init))
  })

  test('the router leaves a click alone when its link has a target or a download, or when the page has handled it', () => {
    assert.equal(click(link({ target: '_blank' })), null)
    assert.equal(click(link({ target: 'preview' })), null)
    assert.equal(click(link({ download: 'codes.txt' })), null)
    assert.equal(click(link(), {}, true), null)
    assert.equal(click(link({ target: '_self' })), '/projects?q=a#x')
  })

  test('a click on a link to an email address or another site is left to the browser', () => {
    for (const href of [
      'mailto:ada@example.test',
      'https://example.test/projects',
      'http://console.test:8080/projects',
    ])
      assert.equal(click(link({ href })), null, href)
  })

  test('a click outside a link opens nothing', () => {
    assert.equal(click(<p id="at">Text</p>), null)
  })
})
