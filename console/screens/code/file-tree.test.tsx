import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useRef, useState } from 'react'
import { show } from '../../testing/console.tsx'
import { FileTree } from './file-tree.tsx'
import { parentFolders, treeRows } from './tree-rows.ts'

const PATHS = ['web/pages/home.tsx', 'web/app.tsx', 'server/api.ts', 'app.json']
const MANY = Array.from({ length: 1000 }, (_, n) => `row-${n}.json`)

interface TreeOptions {
  paths?: readonly string[]
  chosen?: string
  open?: readonly string[]
}

/** Shows a tree as its pane does. Returns the chosen files, and functions that change the tree from outside. */
function showTree({ paths = PATHS, chosen, open = PATHS.flatMap(parentFolders) }: TreeOptions = {}) {
  const choices: string[] = []
  let change: (next: { chosen?: string; paths?: readonly string[] }) => void = () => {}
  function Pane() {
    const tree = useRef<HTMLDivElement>(null)
    const [shown, setShown] = useState<{ chosen: string | undefined; paths: readonly string[] }>({
      chosen,
      paths,
    })
    const [folders, setFolders] = useState(new Set(open))
    change = (next) => setShown((before) => ({ ...before, ...next }))
    return (
      <FileTree
        tree={tree}
        rows={treeRows(shown.paths, folders)}
        chosen={shown.chosen}
        onToggle={(folder) => {
          const next = new Set(folders)
          if (!next.delete(folder)) next.add(folder)
          setFolders(next)
        }}
        onChoose={(path) => {
          choices.push(path)
          change({ chosen: path })
        }}
      />
    )
  }
  show(<Pane />)
  return {
    choices,
    choose: (path: string) => act(() => change({ chosen: path })),
    showFiles: (next: readonly string[]) => act(() => change({ paths: next })),
  }
}

const tree = () => screen.getByRole('tree', { name: 'Files' })
const focusTree = () => act(() => tree().focus())
const strike = (...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(tree(), { key })
}
const titles = () => screen.getAllByRole('treeitem').map((row) => row.title)
/** The row with the cursor, as a screen reader finds it; `lost` when the tree names an element that does not exist. */
const active = () => {
  const id = tree().getAttribute('aria-activedescendant')
  return id === null ? null : (document.getElementById(id)?.title ?? 'lost')
}
const attributesOf = (path: string, ...names: string[]) =>
  names.map((name) => screen.getByTitle(path).getAttribute(`aria-${name}`))
/** Whether the row at this index is in the visible part of the tree, which is 560 px high. */
const isInView = (index: number) => {
  const { scrollTop } = tree()
  return index * 28 >= scrollTop && (index + 1) * 28 <= scrollTop + 560
}
const scrollTo = (px: number) =>
  act(async () => {
    tree().scrollTop = px
    fireEvent.scroll(tree())
    await new Promise(requestAnimationFrame)
  })

describe('the file tree', () => {
  let isTouch = false
  beforeEach(() => {
    isTouch = false
    mock.method(globalThis, 'matchMedia', (query: string) => ({
      matches: query.includes('coarse') && isTouch,
      addEventListener() {},
      removeEventListener() {},
    }))
    // happy-dom has no layout. Without this height the tree would show no row.
    mock.getter(HTMLElement.prototype, 'clientHeight', () => 560)
    mock.getter(HTMLElement.prototype, 'offsetHeight', () => 560)
    mock.getter(HTMLElement.prototype, 'scrollHeight', () => 28 * MANY.length)
  })
  afterEach(() => mock.restoreAll())

  test('the rows of the file tree have their level and their place among their siblings, and a folder says whether it is open', () => {
    showTree({ open: ['web/'], chosen: 'web/app.tsx' })
    assert.deepEqual(titles(), ['server/', 'web/', 'web/pages/', 'web/app.tsx', 'app.json'])
    const seen = (path: string) => attributesOf(path, 'level', 'posinset', 'setsize', 'expanded', 'selected')
    assert.deepEqual(seen('server/'), ['1', '1', '3', 'false', 'false'])
    assert.deepEqual(seen('web/'), ['1', '2', '3', 'true', 'false'])
    assert.deepEqual(seen('web/app.tsx'), ['2', '2', '2', null, 'true'])
  })

  test('file names that look like markup are shown as text, and the tooltip of a long one has the whole name', () => {
    const long = `${'long-'.repeat(80)}name.ts`
    showTree({ paths: ['<img src=x>.ts', long, '日本語.md'] })
    assert.ok(screen.getByText('<img src=x>.ts'))
    assert.ok(screen.getByTitle(long))
    assert.ok(screen.getByText('日本語.md'))
    assert.ok(document.querySelector('img') === null)
  })

  test('on a touch screen the rows of the file tree are as high as a finger needs', () => {
    showTree()
    assert.equal(screen.getByTitle('app.json').style.height, '28px')
    document.body.replaceChildren()
    isTouch = true
    showTree()
    assert.equal(screen.getByTitle('app.json').style.height, '44px')
  })

  test('a file tree of a thousand files renders only those in view, and the End and Home keys scroll to the ends', () => {
    showTree({ paths: MANY })
    assert.ok(titles().length < 60, `${titles().length} rows`)
    focusTree()
    strike('End')
    assert.equal(active(), 'row-999.json')
    assert.ok(isInView(999))
    strike('Home')
    assert.equal(active(), 'row-0.json')
    assert.ok(isInView(0))
  })

  test('the file tree scrolls to the chosen file when it appears and when another file is chosen outside the tree', () => {
    const { choose } = showTree({ paths: MANY, chosen: 'row-700.json' })
    assert.ok(isInView(700))
    choose('row-300.json')
    assert.ok(isInView(300))
    choose('not-listed.json')
    assert.ok(isInView(300))
  })

  test("screen readers still know the row with the file tree's cursor when it is scrolled out of view", async () => {
    showTree({ paths: MANY })
    focusTree()
    strike('ArrowDown')
    await scrollTo(14_000)
    await waitFor(() => assert.ok(titles().includes('row-500.json')))
    assert.equal(active(), 'row-1.json')
    assert.equal(titles()[0], 'row-1.json', 'in the order of the files')
    strike('ArrowDown')
    assert.equal(active(), 'row-2.json')
  })

  test('the cursor of the file tree begins at the chosen file', () => {
    showTree({ chosen: 'web/app.tsx' })
    focusTree()
    assert.equal(active(), 'web/app.tsx')
  })

  test('the cursor of the file tree begins at the first row when the chosen file is in a folded folder', () => {
    showTree({ chosen: 'web/app.tsx', open: [] })
    focusTree()
    assert.equal(active(), 'server/')
  })

  test('the cursor of the file tree returns to the first row when its file no longer exists', () => {
    const { showFiles } = showTree({ chosen: 'app.json' })
    focusTree()
    assert.equal(active(), 'app.json')
    act(() => tree().blur())
    showFiles(['web/app.tsx', 'web/new.tsx'])
    assert.equal(active(), null)
    focusTree()
    assert.equal(active(), 'web/')
  })

  test('pressing a row of the file tree moves the cursor there, so that the keys continue from it', () => {
    const { choices } = showTree()
    fireEvent.click(screen.getByTitle('web/pages/home.tsx'))
    assert.equal(active(), 'web/pages/home.tsx')
    strike('ArrowDown', ' ')
    assert.deepEqual(choices, ['web/pages/home.tsx', 'web/app.tsx'])
  })

  test('folding a folder of the file tree with a press keeps the cursor at the folder', () => {
    showTree({ chosen: 'web/pages/home.tsx' })
    fireEvent.click(screen.getByTitle('web/'))
    assert.deepEqual(titles(), ['server/', 'server/api.ts', 'web/', 'app.json'])
    assert.equal(active(), 'web/')
    fireEvent.click(screen.getByTitle('web/'))
    assert.ok(titles().includes('web/pages/home.tsx'))
  })

  test('the keys of the file tree open and close folders, enter them and return to the parent folder', () => {
    const { choices } = showTree({ open: [] })
    focusTree()
    strike('ArrowRight')
    assert.deepEqual(titles().slice(0, 2), ['server/', 'server/api.ts'])
    strike('ArrowRight')
    assert.equal(active(), 'server/api.ts')
    strike('ArrowLeft')
    assert.equal(active(), 'server/')
    strike('ArrowLeft')
    assert.ok(!titles().includes('server/api.ts'))
    assert.deepEqual(choices, [])
  })

  test('Page Down and Page Up move the cursor of the file tree by many rows and stop at the ends', () => {
    showTree({ paths: MANY.slice(0, 20) })
    focusTree()
    strike('PageDown')
    assert.equal(active(), 'row-15.json')
    strike('PageDown')
    assert.equal(active(), 'row-19.json')
    strike('PageUp', 'PageUp')
    assert.equal(active(), 'row-0.json')
  })

  test('a key that does nothing in the file tree is left to the browser', () => {
    showTree({ chosen: 'app.json' })
    focusTree()
    // `fireEvent` returns false when a handler prevented the default action of the key.
    assert.equal(fireEvent.keyDown(tree(), { key: 'Home' }), false)
    strike('End')
    for (const key of ['Tab', 'x', 'ArrowRight', 'ArrowDown', 'Escape'])
      assert.equal(fireEvent.keyDown(tree(), { key }), true, key)
    assert.equal(active(), 'app.json')
  })
})
