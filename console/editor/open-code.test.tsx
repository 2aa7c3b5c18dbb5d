import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { fireEvent } from '@testing-library/react'
import { openCode, type OpenCode } from './open-code.ts'

const TEXT = 'one\ntwo\nthree\nfour\n'

let opened: OpenCode | null = null

function open(part: Partial<Parameters<typeof openCode>[1]> = {}) {
  const parent = document.createElement('div')
  document.body.append(parent)
  opened = openCode(parent, {
    path: 'notes.txt',
    text: TEXT,
    label: 'Notes',
    wraps: false,
    onLine: null,
    ...part,
  })
  return { parent, code: opened }
}
const shown = (parent: HTMLElement) =>
  Array.from(parent.querySelectorAll('.cm-shown-line'), (line) => line.textContent)
const content = (parent: HTMLElement) => parent.querySelector<HTMLElement>('.cm-content')

describe('a file in the editor', () => {
  afterEach(() => {
    opened?.close()
    opened = null
  })

  test('the editor is read-only, has a name for screen readers, and can be focused with the keyboard', () => {
    const { parent } = open()
    const box = content(parent)
    assert.deepEqual(
      [box?.getAttribute('aria-label'), box?.getAttribute('contenteditable'), box?.tabIndex],
      ['Notes', 'false', 0],
    )
    assert.equal(box?.textContent, 'onetwothreefour')
  })

  test('marking a range of lines in the editor replaces the previous range, and a range beyond the end marks the last line', () => {
    const { parent, code } = open({ text: 'one\ntwo\nthree' })
    code.showLines({ from: 2, to: 3 })
    assert.deepEqual(shown(parent), ['two', 'three'])
    code.showLines({ from: 3, to: 9_999_999 })
    assert.deepEqual(shown(parent), ['three'])
    code.showLines({ from: 50, to: 60 })
    assert.deepEqual(shown(parent), ['three'])
    code.showLines({ from: 1, to: 1 })
    assert.deepEqual(shown(parent), ['one'])
    code.showLines(null)
    assert.deepEqual(shown(parent), [])
  })

  test('a range of lines in an empty file marks its only line', () => {
    const { parent, code } = open({ text: '' })
    code.showLines({ from: 4, to: 8 })
    assert.deepEqual(shown(parent), [''])
  })

  test('pressing a line number reports whether Shift is held', () => {
    const lines: unknown[] = []
    const { parent } = open({ onLine: (line, stretch) => lines.push([line, stretch]) })
    const numbers = Array.from(parent.querySelectorAll('.cm-lineNumbers .cm-gutterElement'))
    const third = numbers.find((one) => one.textContent === '3')
    assert.ok(third !== undefined)
    fireEvent.mouseDown(third)
    fireEvent.mouseDown(third, { shiftKey: true })
    assert.deepEqual(
      lines.map((line) => (line as unknown[])[1]),
      [false, true],
    )
    assert.ok(parent.querySelector('.has-line-links') !== null)
  })

  test('the editor makes invisible and direction-reversing characters visible, because they can hide what code does', () => {
    const { parent } = open({ text: 'if (isAdmin\u202e\u2066) // \u200b\nlet a = 1\u0007' })
    const marks = Array.from(parent.querySelectorAll('.cm-specialChar'), (mark) =>
      mark.getAttribute('aria-label'),
    )
    assert.deepEqual(marks.length, 4)
    for (const mark of marks) assert.match(mark ?? '', /\S/)
  })

  test('tabs, letters of any script and emoji are shown unchanged in the editor', () => {
    const text = '\tä 日本 العربية 🌱 👨‍👩‍👧'
    const { parent } = open({ text })
    assert.equal(parent.querySelectorAll('.cm-specialChar').length, 0)
    assert.equal(content(parent)?.textContent, text)
  })

  test('the lines of the editor wrap only while wrapping is switched on', () => {
    const { parent, code } = open()
    const wraps = () => content(parent)?.classList.contains('cm-lineWrapping')
    assert.equal(wraps(), false)
    code.setWrapping(true)
    assert.equal(wraps(), true)
    code.setWrapping(false)
    assert.equal(wraps(), false)
  })

  test('the search panel of the editor opens above the text, and Escape closes it', () => {
    const { parent, code } = open()
    code.search()
    const field = parent.querySelector<HTMLInputElement>('.cm-panels-top input')
    assert.ok(field !== null)
    fireEvent.keyDown(field, { key: 'Escape', keyCode: 27 })
    assert.ok(parent.querySelector('.cm-panels input') === null)
  })

  test('closing the code editor removes its elements from the page', () => {
    const { parent, code } = open({ path: 'app.json', text: '{}' })
    code.showLines({ from: 1, to: 1 })
    code.close()
    assert.equal(parent.childElementCount, 0)
  })
})
