import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { createRef } from 'react'
import { isShown, isThere, show } from '../testing/console.tsx'
import { withBlockedStorage } from '../testing/storage.ts'
import type { CodeEditorProps, CodeHandle } from './code-editor.tsx'
import { CodeView } from './code-view.tsx'
import { useDiffLayout } from './diff-layout.ts'
import { DiffView, type DiffViewProps } from './diff-view.tsx'
import type { FileDiff } from './shown-text.ts'

const TEXT = 'one\ntwo\nthree'
const diffOf = (part: Partial<FileDiff> = {}): FileDiff => ({
  path: 'notes.txt',
  status: 'modified',
  added: 1,
  removed: 1,
  before: 'old',
  after: 'new',
  ...part,
})
const findEditor = (label: string) =>
  waitFor(() => {
    const editor = document.querySelector<HTMLElement>(`.cm-content[aria-label="${label}"]`)
    assert.ok(editor)
    return editor
  })
const markedLines = () => Array.from(document.querySelectorAll('.cm-shown-line'), (line) => line.textContent)

describe('a file on the page', () => {
  const renderCode = (part: Partial<CodeEditorProps> = {}) => {
    const view = (more: Partial<CodeEditorProps>) => (
      <CodeView path="notes.txt" text={TEXT} {...part} {...more} />
    )
    const { rerender, unmount } = show(view({}))
    return { unmount, change: (more: Partial<CodeEditorProps>) => rerender(view(more)) }
  }

  test('the editor marks the lines that the URL names, and marks other lines when the URL changes', async () => {
    const { change } = renderCode({ lines: { from: 2, to: 3 } })
    const editor = await findEditor('Code of notes.txt')
    assert.deepEqual(markedLines(), ['two', 'three'])
    change({ lines: { from: 1, to: 1 } })
    assert.deepEqual(markedLines(), ['one'])
    change({ lines: null })
    assert.deepEqual(markedLines(), [])
    assert.ok(editor.isConnected, 'the editor keeps its scroll position')
  })

  test('the lines that the URL names are also marked in the file that is opened next', async () => {
    const { change } = renderCode({ lines: { from: 2, to: 2 } })
    await findEditor('Code of notes.txt')
    change({ path: 'other.txt', text: 'uno\ndos' })
    await findEditor('Code of other.txt')
    assert.deepEqual(markedLines(), ['dos'])
    assert.equal(document.querySelectorAll('.cm-editor').length, 1, 'the earlier file is gone')
  })

  test('code lines stay marked and wrapped when the line numbers become links', async () => {
    const { change } = renderCode({ lines: { from: 2, to: 2 }, wraps: true })
    await findEditor('Code of notes.txt')
    change({ onLine: () => {} })
    const editor = await findEditor('Code of notes.txt')
    assert.deepEqual(markedLines(), ['two'])
    assert.ok(editor.classList.contains('cm-lineWrapping'))
  })

  test('a pressed line number is passed to the newest handler, without creating a new editor', async () => {
    const did: string[] = []
    const { change } = renderCode({ onLine: () => did.push('old') })
    const editor = await findEditor('Code of notes.txt')
    change({ onLine: (line) => did.push(`new ${line}`) })
    const numbers = Array.from(document.querySelectorAll('.cm-lineNumbers .cm-gutterElement'))
    fireEvent.mouseDown(numbers.find((one) => one.textContent === '1') as Element)
    assert.deepEqual(
      did.map((one) => one.slice(0, 3)),
      ['new'],
    )
    assert.ok(editor.isConnected)
  })

  test("a button outside the editor can open the editor's search, and does nothing after the editor was removed", async () => {
    const handle = createRef<CodeHandle>()
    const { unmount } = renderCode({ handle })
    await findEditor('Code of notes.txt')
    act(() => handle.current?.search())
    assert.ok(document.querySelector('.cm-panels-top input'))
    const kept = handle.current
    unmount()
    kept?.search()
    assert.equal(handle.current, null)
  })

  test('a note replaces the editor of a binary file, a very large file and an empty file', () => {
    for (const [text, words] of [
      ['a\0b', 'This is not text, so its content is not shown.'],
      ['x'.repeat(1_000_001), /too large to be shown/],
      ['', 'This file is empty.'],
    ] as const) {
      const { unmount } = renderCode({ text })
      assert.ok(isShown(words))
      assert.ok(!isThere('status', 'Loading'))
      unmount()
    }
  })
})

describe('the comparison of a file on the page', () => {
  const renderDiff = (part: Partial<DiffViewProps> = {}) => {
    const view = (more: Partial<DiffViewProps>) => <DiffView file={diffOf()} {...part} {...more} />
    const { rerender, unmount } = show(view({}))
    return { unmount, change: (more: Partial<DiffViewProps>) => rerender(view(more)) }
  }

  test('a comparison has one editor for each column, and each editor is labelled with its version', async () => {
    const { change } = renderDiff()
    await findEditor('notes.txt after')
    assert.equal(document.querySelectorAll('.cm-editor').length, 1)
    change({ split: true })
    await findEditor('notes.txt before')
    assert.equal(document.querySelectorAll('.cm-editor').length, 2)
  })

  test('a comparison reports the positions of its changes while it is shown, and reports when it is removed', async () => {
    const did: string[] = []
    const { change, unmount } = renderDiff({
      onOpen: (changesPx) => {
        did.push(`${changesPx().length} change`)
        return () => did.push('gone')
      },
    })
    await findEditor('notes.txt after')
    assert.deepEqual(did, ['1 change'])
    change({ split: true })
    assert.deepEqual(did, ['1 change', 'gone', '1 change'])
    unmount()
    assert.deepEqual(did.at(-1), 'gone')
  })

  test('a note with the reason replaces the comparison of a file without content to compare', () => {
    for (const [part, words] of [
      [{ before: null }, /The content was left out/],
      [{ before: 'a\0', after: 'b' }, /This is not text/],
      [{ status: 'added', before: null, after: '' }, 'This file is empty.'],
      [{ status: 'removed', before: '', after: null }, 'This file is empty.'],
    ] as const) {
      const { unmount } = renderDiff({ file: diffOf(part) })
      assert.ok(isShown(words), JSON.stringify(part))
      unmount()
    }
  })
})

describe('the layout of comparisons', () => {
  function Layout() {
    const [layout, choose] = useDiffLayout()
    return (
      <button type="button" onClick={() => choose(layout === 'split' ? 'unified' : 'split')}>
        {layout}
      </button>
    )
  }
  const press = () => fireEvent.click(screen.getByRole('button'))

  test('the layout chosen for one comparison is used for the next, and an unknown stored layout means one column', () => {
    const first = show(<Layout />)
    press()
    first.unmount()
    const second = show(<Layout />)
    assert.ok(isShown('split'))
    second.unmount()
    localStorage.setItem('slipway.diff', 'sideways')
    show(<Layout />)
    assert.ok(isShown('unified'))
  })

  test('in a browser that blocks storage the layout of a comparison can still be changed', async () => {
    await withBlockedStorage(() => {
      show(<Layout />)
      press()
      assert.ok(isShown('split'))
    })
  })
})
