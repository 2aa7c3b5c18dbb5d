import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { act, screen } from '@testing-library/react'
import { button, isThere, press, show } from '../testing/console.tsx'
import { FileDiffs } from './file-diffs.tsx'
import type { FileDiff } from './shown-text.ts'

const diffOf = (path: string, part: Partial<FileDiff> = {}): FileDiff => ({
  path,
  status: 'modified',
  added: 2,
  removed: 1,
  before: 'old',
  after: 'new',
  ...part,
})
const FILES = [
  diffOf('web/app.tsx'),
  diffOf('web/new.tsx', { status: 'added', before: null, removed: 0 }),
  diffOf('logo.png', { status: 'removed', before: null, after: null, added: 0 }),
]

const cards = () =>
  screen.getAllByRole('heading', { level: 3 }).map((heading) => {
    const toggle = heading.querySelector('button')
    return [toggle?.textContent, toggle?.getAttribute('aria-expanded')]
  })
const links = () =>
  screen.queryAllByRole('link').map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')])
const said = () => document.querySelector('p[role=status]')?.textContent

describe('the comparison of two versions', () => {
  /** Sets the width of every element, and calls the resize observers. */
  let setWidth: (widthPx: number) => void = () => {}
  beforeEach(() => {
    const told: (() => void)[] = []
    mock.property(
      globalThis,
      'ResizeObserver',
      class {
        constructor(tell: () => void) {
          told.push(tell)
        }
        observe() {}
        disconnect() {}
      } as never,
    )
    let widthPx = 0
    mock.getter(HTMLElement.prototype, 'clientWidth', () => widthPx)
    setWidth = (px) => {
      widthPx = px
      act(() => told.forEach((tell) => tell()))
    }
  })
  afterEach(() => mock.restoreAll())

  test('each file of a comparison shows its path and whether it is new or removed, and only a removed file has no link', () => {
    show(<FileDiffs files={FILES} fileHref={(path) => `/code/${path}`} />)
    assert.match(screen.getByRole('heading', { level: 2 }).textContent ?? '', /^3 files changed/)
    assert.deepEqual(
      cards().map(([words]) => /New|Removed/.exec(words ?? '')?.[0] ?? null),
      [null, 'New', 'Removed'],
    )
    assert.deepEqual(links(), [
      ['Open web/app.tsx in Code', '/code/web/app.tsx'],
      ['Open web/new.tsx in Code', '/code/web/new.tsx'],
    ])
  })

  test('a comparison without differences says that no file differs, and has no buttons', () => {
    show(<FileDiffs files={[]} />)
    assert.equal(screen.getByRole('heading', { level: 2 }).textContent, 'No file differs')
    assert.equal(isThere('button'), false)
  })

  test('the files of a comparison can be folded one by one and all at once', () => {
    show(<FileDiffs files={FILES} />)
    const open = () => cards().map(([, isOpen]) => isOpen)
    assert.deepEqual(open(), ['true', 'true', 'true'])
    press(/^logo\.png/)
    assert.deepEqual(open(), ['true', 'true', 'false'])
    press('Expand all')
    assert.deepEqual(open(), ['true', 'true', 'true'])
    press('Collapse all')
    assert.deepEqual(open(), ['false', 'false', 'false'])
    assert.ok(button('Expand all'))
  })

  test('only a modified file with both its old and new text has a button that shows its unchanged lines', () => {
    show(<FileDiffs files={[...FILES, diffOf('large.json', { before: null })]} />)
    assert.deepEqual(
      screen.getAllByRole('button', { name: /unchanged lines/ }).map((one) => one.getAttribute('aria-label')),
      ['Show the unchanged lines of web/app.tsx too'],
    )
    press(/unchanged lines/)
    assert.equal(button(/unchanged lines/).getAttribute('aria-pressed'), 'true')
  })

  test('a comparison offers two columns from a width of 720 px, and the chosen layout is stored in this browser', () => {
    show(<FileDiffs files={FILES} />)
    setWidth(719)
    assert.equal(isThere('group', 'Layout of the comparison'), false)
    setWidth(720)
    press('Split')
    assert.equal(localStorage.getItem('slipway.diff'), 'split')
  })

  test('the button for the next change of a comparison goes from top to bottom, then starts again, and ignores folded files', () => {
    let topPx = 500
    mock.method(HTMLElement.prototype, 'getBoundingClientRect', function (this: HTMLElement) {
      const card = this.closest('section')
      const at = card === null ? 0 : Array.from(document.querySelectorAll('section')).indexOf(card)
      return { top: card === null ? 0 : topPx + at * 100 } as DOMRect
    })
    mock.method(Element.prototype, 'scrollBy', ({ top }: { top: number }) => {
      topPx -= top
    })
    show(<FileDiffs files={FILES} />)
    const jump = () => {
      press('Next change')
      return said()
    }
    assert.deepEqual(
      [jump(), jump(), jump(), jump()],
      ['Change 1 of 3', 'Change 2 of 3', 'Change 3 of 3', 'Change 1 of 3'],
    )
    press(/^logo\.png/)
    assert.deepEqual([jump(), jump()], ['Change 2 of 2', 'Change 1 of 2'])
    press('Expand all')
    press('Collapse all')
    assert.equal(jump(), 'Change 1 of 2')
  })
})
