import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { isShown, press, show } from '../../testing/console.tsx'
import { TreePane } from './tree-pane.tsx'

const SMALL = ['web/pages/home.tsx', 'web/app.tsx', 'server/api.ts', 'app.json']
/** More files than a tree shows unfolded at first. */
const LARGE = [...SMALL, ...Array.from({ length: 70 }, (_, i) => `data/rows/row-${i}.json`)]

/** Shows the tree of these files. Returns the files that were chosen. */
function showTree(paths: readonly string[], first?: string) {
  const choices: string[] = []
  function Pane() {
    const [filter, setFilter] = useState('')
    const [chosen, setChosen] = useState(first)
    const choose = (path: string) => {
      choices.push(path)
      setChosen(path)
    }
    const files = new Map(paths.map((path) => [path, null]))
    return <TreePane paths={files} chosen={chosen} filter={filter} onFilter={setFilter} onChoose={choose} />
  }
  show(<Pane />)
  return choices
}
/** The rows, indented by their level. A star marks the chosen row. */
const rows = () =>
  screen
    .getAllByRole('treeitem')
    .map((row) =>
      [
        ' '.repeat(Number(row.getAttribute('aria-level')) - 1),
        row.textContent,
        row.getAttribute('aria-selected') === 'true' ? '*' : '',
      ].join(''),
    )
const row = (path: string) => screen.getByTitle(path)
const filterField = () => screen.getByRole('searchbox')
const filter = (words: string) => fireEvent.change(filterField(), { target: { value: words } })
const strike = (key: string, held = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...held })
const active = () => {
  const id = screen.getByRole('tree').getAttribute('aria-activedescendant')
  return id === null ? null : document.getElementById(id)?.title
}

describe('the tree of the files of a version', () => {
  // happy-dom has no layout. Without this height the tree would show no row.
  beforeEach(() => void mock.getter(HTMLElement.prototype, 'clientHeight', () => 600))
  afterEach(() => mock.restoreAll())

  test('a small file tree shows the contents of all folders, folders before files, and a click folds a folder or opens a file', () => {
    const choices = showTree(SMALL, 'app.json')
    assert.deepEqual(rows(), ['server', ' api.ts', 'web', ' pages', '  home.tsx', ' app.tsx', 'app.json*'])
    fireEvent.click(row('web/'))
    assert.deepEqual(rows(), ['server', ' api.ts', 'web', 'app.json*'])
    fireEvent.click(row('server/api.ts'))
    assert.deepEqual([choices, rows()], [['server/api.ts'], ['server', ' api.ts*', 'web', 'app.json']])
    assert.ok(isShown('4 files'))
  })

  test('a large file tree is folded except for the folders of the chosen file', () => {
    showTree(LARGE, 'web/pages/home.tsx')
    assert.deepEqual(rows(), ['data', 'server', 'web', ' pages', '  home.tsx*', ' app.tsx', 'app.json'])
  })

  test('filtering the file tree unfolds the folders of the matches, Enter chooses the first match, and Escape clears the filter', () => {
    const choices = showTree(LARGE)
    filter('WEB tsx')
    assert.deepEqual(rows(), ['web', ' pages', '  home.tsx', ' app.tsx'])
    act(() => filterField().focus())
    strike('Enter')
    assert.deepEqual(choices, ['web/pages/home.tsx'])
    strike('Escape')
    assert.equal((filterField() as HTMLInputElement).value, '')
  })

  test('Enter in the filter chooses the first match of the filter even when its folder is folded', () => {
    const choices = showTree(SMALL)
    filter('web')
    act(() => filterField().focus())
    fireEvent.click(row('web/pages/'))
    strike('Enter')
    fireEvent.click(row('web/'))
    strike('Enter')
    assert.deepEqual(choices, ['web/pages/home.tsx', 'web/pages/home.tsx'])
  })

  test('Enter in the filter expands the folders of the file that it opens, even when the file is already open', () => {
    showTree(SMALL)
    filter('web')
    act(() => filterField().focus())
    fireEvent.click(row('web/pages/'))
    strike('Enter')
    assert.deepEqual(rows(), ['web', ' pages', '  home.tsx*', ' app.tsx'])
    fireEvent.click(row('web/'))
    strike('Enter')
    assert.deepEqual(rows(), ['web', ' pages', '  home.tsx*', ' app.tsx'])
    filter('')
    assert.ok(rows().includes('  home.tsx*'))
  })

  test('Enter that ends the composition of a Japanese or Chinese word in the file filter opens no file', () => {
    const choices = showTree(SMALL)
    filter('web')
    fireEvent.keyDown(filterField(), { key: 'Enter', keyCode: 229 })
    assert.deepEqual(choices, [])
  })

  test('a folder of a filtered file tree is folded by a press or the left arrow key, and another filter unfolds it again', () => {
    showTree(SMALL)
    filter('web')
    fireEvent.click(row('web/pages/'))
    assert.deepEqual(rows(), ['web', ' pages', ' app.tsx'])
    act(() => screen.getByRole('tree').focus())
    strike('ArrowLeft')
    assert.deepEqual([active(), rows()], ['web/', ['web', ' pages', ' app.tsx']])
    strike('ArrowLeft')
    assert.deepEqual(rows(), ['web'])
    strike('ArrowRight')
    assert.deepEqual(rows(), ['web', ' pages', ' app.tsx'])
    filter('web home')
    assert.deepEqual(rows(), ['web', ' pages', '  home.tsx'])
    filter('')
    assert.equal(rows().length, 7)
  })

  test('a file that is chosen in a filtered file tree stays visible after the filter is cleared', () => {
    showTree(LARGE)
    filter('home')
    fireEvent.click(row('web/pages/home.tsx'))
    filter('')
    assert.deepEqual(rows(), ['data', 'server', 'web', ' pages', '  home.tsx*', ' app.tsx', 'app.json'])
  })

  test('a file tree filter without matches shows a note and can be cleared', () => {
    showTree(SMALL)
    filter('<b>none</b>')
    assert.ok(isShown(/<b>none<\/b>/))
    act(() => filterField().focus())
    strike('Enter')
    press('Show all files')
    assert.equal(rows().length, 7)
  })

  test('the down arrow key moves from the filter into the file tree, where keys move the cursor, fold folders and choose files', () => {
    const choices = showTree(SMALL)
    act(() => filterField().focus())
    strike('ArrowDown')
    assert.ok(document.activeElement === screen.getByRole('tree'))
    assert.equal(active(), 'server/')
    strike('ArrowDown')
    strike('Enter')
    assert.deepEqual([active(), choices], ['server/api.ts', ['server/api.ts']])
    strike('ArrowLeft')
    strike('ArrowLeft')
    assert.deepEqual(rows(), ['server', 'web', ' pages', '  home.tsx', ' app.tsx', 'app.json'])
    strike('End')
    assert.equal(active(), 'app.json')
  })

  test('the file tree leaves a key that is pressed together with Ctrl, Meta or Alt to the browser', () => {
    showTree(SMALL)
    act(() => screen.getByRole('tree').focus())
    for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }])
      // `fireEvent` returns false when a handler prevented the default action of the key.
      assert.equal(strike('ArrowDown', held), true)
    assert.equal(active(), 'server/')
    assert.equal(strike('ArrowDown'), false)
  })
})
