import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { act, press, render, screen } from '../testing/kit.test.fixture.tsx'
import { pages } from '../pages.gen.ts'
import { navigate } from '../web/navigation.tsx'
import { AppShell } from './app-shell.tsx'

const pageAt = (path: string, title: string) => ({
  path,
  title,
  file: path,
  access: 'public' as const,
  component: () => null,
})
const setPages = (...entries: [path: string, title: string][]) =>
  pages.splice(0, pages.length, ...entries.map(([path, title]) => pageAt(path, title)))
const go = (path: string) => act(async () => navigate(path))
const menu = () =>
  Array.from(screen.queryByRole('navigation', { name: 'Pages' })?.querySelectorAll('a') ?? [], (link) => [
    link.textContent,
    link.getAttribute('href'),
    link.getAttribute('aria-current'),
  ])

describe('the frame of an app', () => {
  const known = [...pages]
  before(() => {
    window.scrollTo = () => {}
  })
  after(() => pages.splice(0, pages.length, ...known))

  test("an app's menu has the pages one level below the root, without pages that are deeper or have a parameter", () => {
    setPages(
      ['/', 'Start'],
      ['/plants', 'Plants'],
      ['/plants/:id', 'A plant'],
      ['/:id', 'Any'],
      ['/a/b', 'Deep'],
    )
    render(<AppShell>Content</AppShell>)
    assert.deepEqual(menu(), [
      ['Start', '/', 'page'],
      ['Plants', '/plants', null],
    ])
    assert.equal(screen.getByRole('main').textContent, 'Content')
  })

  test("an app's menu marks the current page or its parent, and not a page whose path only begins with the same letters", async () => {
    setPages(['/', 'Start'], ['/plant', 'Plant'], ['/plants', 'Plants'])
    render(<AppShell>Content</AppShell>)
    for (const [path, current] of [
      ['/plants', ['Plants']],
      ['/plants/fern', ['Plants']],
      ['/plant', ['Plant']],
      ['/', ['Start']],
      ['/other', []],
    ] as const) {
      await go(path)
      assert.deepEqual(
        menu().flatMap(([title, , mark]) => (mark === 'page' ? [title] : [])),
        current,
        path,
      )
    }
  })

  test('an app with one page has no menu and no menu button', () => {
    setPages(['/', 'Start'], ['/plants/:id', 'A plant'])
    render(<AppShell>Content</AppShell>)
    assert.deepEqual(menu(), [])
    assert.deepEqual(screen.queryAllByRole('button').length, 0)
  })

  test("on a phone, an app's menu opens and closes with its button, and closes when another page opens", async () => {
    setPages(['/', 'Start'], ['/plants', 'Plants'])
    render(<AppShell>Content</AppShell>)
    const state = () => {
      const toggle = screen.getByRole('button', { name: /the menu$/ })
      const list = document.getElementById(toggle.getAttribute('aria-controls') ?? '')
      return [toggle.getAttribute('aria-label'), toggle.getAttribute('aria-expanded'), list?.dataset['open']]
    }
    const closed = ['Open the menu', 'false', 'false']
    const open = ['Close the menu', 'true', 'true']
    assert.deepEqual(state(), closed)
    press('Open the menu')
    assert.deepEqual(state(), open)
    press('Close the menu')
    assert.deepEqual(state(), closed)
    press('Open the menu')
    await go('/plants')
    assert.deepEqual(state(), closed)
  })

  test('the first link of a page skips the menu bar and leads to the content', () => {
    setPages(['/', 'Start'])
    render(<AppShell>Content</AppShell>)
    const [first] = screen.getAllByRole('link')
    assert.deepEqual([first?.textContent, first?.getAttribute('href')], ['Skip to the content', '#content'])
    assert.equal(screen.getByRole('main').id, 'content')
  })
})
