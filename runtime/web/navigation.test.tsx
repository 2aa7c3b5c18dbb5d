import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import { act, fireEvent, isShown, render, screen } from '../testing/kit.test.fixture.tsx'
import { pages } from '../pages.gen.ts'
import { Page } from '../ui/page.tsx'
import { Link, navigate, useParams, usePath, useQueryParam } from './navigation.tsx'
import { Pages } from '../ui/router.tsx'

function Plants() {
  const sort = useQueryParam('sort')
  return (
    <Page title="Plants">
      <p>sorted by {sort ?? 'nothing'}</p>
      <Link to="/plants/fern">Fern</Link>
      <Link to="/plants/moss" target="_blank">
        Moss
      </Link>
      <Link to="/plants/oak" onClick={(event) => event.preventDefault()}>
        Oak
      </Link>
    </Page>
  )
}
const Plant = () => (
  <Page title={`Plant ${useParams()['id']}`}>
    <p id="größe">One plant</p>
  </Page>
)
const Broken = () => {
  throw new Error('no water')
}
const pageAt = (path: string, component: () => React.ReactNode) => ({
  path,
  title: path,
  file: path,
  access: 'public' as const,
  component,
})
const mainHeading = () => screen.getByRole('heading', { level: 1 })
const clickLink = (name: string, init = {}) => fireEvent.click(screen.getByRole('link', { name }), init)
const navigateTo = (path: string) => act(async () => navigate(path))

describe('the pages of an app', () => {
  const known = [...pages]
  before(() => {
    window.scrollTo = () => {}
    pages.splice(
      0,
      pages.length,
      pageAt('/', Plants),
      pageAt('/plants/:id', Plant),
      pageAt('/broken', Broken),
    )
  })
  after(() => pages.splice(0, pages.length, ...known))

  test("clicking a link within the app shows its page without a reload, and focuses the page's heading", () => {
    render(<Pages />)
    assert.equal(mainHeading().textContent, 'Plants')
    assert.ok(document.activeElement !== mainHeading(), 'the first page leaves the focus alone')
    clickLink('Fern')
    assert.equal(location.pathname, '/plants/fern')
    assert.equal(mainHeading().textContent, 'Plant fern')
    assert.ok(document.activeElement === mainHeading())
    assert.match(document.title, /^Plant fern · /)
  })

  test('a link click with a modifier key or the middle button, or one that the app has handled, is left to the browser', () => {
    render(<Pages />)
    const stay = (event: Event) => event.preventDefault()
    // Prevents the test document from following the link.
    document.addEventListener('click', stay)
    clickLink('Fern', { ctrlKey: true })
    clickLink('Fern', { metaKey: true })
    clickLink('Fern', { button: 1 })
    clickLink('Moss')
    clickLink('Oak')
    document.removeEventListener('click', stay)
    assert.equal(location.pathname, '/')
    assert.equal(mainHeading().textContent, 'Plants')
  })

  test("the browser's back button shows the previous page", async () => {
    render(<Pages />)
    clickLink('Fern')
    await act(async () => {
      history.replaceState(null, '', '/')
      window.dispatchEvent(new PopStateEvent('popstate'))
    })
    assert.equal(mainHeading().textContent, 'Plants')
  })

  test('a query parameter is read from the URL, and the component renders again when it changes', async () => {
    render(<Pages />)
    assert.ok(isShown('sorted by nothing'))
    await navigateTo('/?sort=name%20first')
    assert.ok(isShown('sorted by name first'))
  })

  test('an encoded path parameter of a page is decoded, and a malformed one is left unchanged', async () => {
    render(<Pages />)
    await navigateTo('/plants/b%C3%A4rlauch')
    assert.equal(mainHeading().textContent, 'Plant bärlauch')
    await navigateTo('/plants/100%')
    assert.equal(mainHeading().textContent, 'Plant 100%')
  })

  test('a URL without a page shows that the page does not exist, with a link to the start page', async () => {
    render(<Pages />)
    await navigateTo('/nowhere')
    assert.ok(isShown('This page does not exist'))
    clickLink('Go to the start page')
    assert.equal(mainHeading().textContent, 'Plants')
  })

  test('a page that throws an error does not break the other pages', async () => {
    render(<Pages />, { onCaughtError: () => {} })
    await navigateTo('/broken')
    assert.match(screen.getByRole('alert').textContent ?? '', /stopped working.*no water/)
    await navigateTo('/')
    assert.equal(mainHeading().textContent, 'Plants')
    assert.ok(screen.queryByRole('alert') === null)
  })

  test('a link with the #id of an element scrolls to that element, and any other link scrolls to the start of its page', async () => {
    const scrolled: string[] = []
    const { scrollTo } = window
    window.scrollTo = () => void scrolled.push('start')
    mock.method(Element.prototype, 'scrollIntoView', function note(this: Element) {
      scrolled.push(this.id)
    })
    mock.timers.enable({ apis: ['setTimeout'] })
    render(<Pages />)
    for (const path of [
      '/plants/fern#größe',
      '/plants/fern#gr%C3%B6%C3%9Fe',
      '/plants/moss#none',
      '/plants/oak',
    ]) {
      await navigateTo(path)
      act(() => mock.timers.tick(1))
    }
    mock.timers.reset()
    mock.restoreAll()
    window.scrollTo = scrollTo
    assert.deepEqual(scrolled, ['größe', 'größe', 'start', 'start'])
  })
})

test('a slash at the end of an address is ignored, so that pages like /account are found', async () => {
  const Path = () => <p>at {usePath()}</p>
  render(<Path />)
  for (const [address, path] of [
    ['/account/', '/account'],
    ['/plants/fern//?a=1', '/plants/fern'],
    ['/', '/'],
  ] as const) {
    await navigateTo(address)
    assert.ok(isShown(`at ${path}`), address)
  }
})
