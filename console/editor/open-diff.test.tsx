import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { type DiffToShow, openDiff, type OpenDiff } from './open-diff.ts'

const linesOf = (...lines: (string | number)[]) => lines.join('\n')
const LONG = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`)

let opened: OpenDiff | null = null

function open(part: Partial<DiffToShow>) {
  const parent = document.createElement('div')
  document.body.append(parent)
  const labels = { before: 'Before', after: 'After' }
  opened = openDiff(parent, {
    path: 'a.txt',
    before: '',
    after: '',
    split: false,
    whole: false,
    labels,
    ...part,
  })
  const editors = Array.from(parent.querySelectorAll<HTMLElement>('.cm-content'), (one) => [
    one.getAttribute('aria-label'),
    one.getAttribute('contenteditable'),
    Array.from(one.querySelectorAll('.cm-line'), (line) => line.textContent),
  ])
  return { parent, editors, diff: opened }
}
const texts = (parent: HTMLElement, selector: string) =>
  Array.from(parent.querySelectorAll(selector), (one) => one.textContent)

describe('the comparison of two versions of a file', () => {
  afterEach(() => {
    opened?.close()
    opened = null
  })

  test('a comparison shows an added or removed file in a single editor, and counts it as one change', () => {
    const added = open({ before: null, after: 'new' })
    assert.deepEqual(added.editors, [['After', 'false', ['new']]])
    assert.ok(added.parent.querySelector('.is-added') !== null)
    assert.equal(added.diff.changesPx().length, 1)
    added.diff.close()
    const removed = open({ before: 'old', after: null, split: true })
    assert.deepEqual(removed.editors, [['Before', 'false', ['old']]])
    assert.ok(removed.parent.querySelector('.is-removed') !== null)
    assert.equal(removed.diff.changesPx().length, 1)
  })

  test('a comparison shows an added empty file, and a file without an old and a new text, as an empty editor', () => {
    assert.deepEqual(open({ before: null, after: '' }).editors, [['After', 'false', ['']]])
    opened?.close()
    assert.deepEqual(open({ before: null, after: null }).editors, [['Before', 'false', ['']]])
  })

  test('in one column a comparison shows a removed line and the line that replaces it, and counts them as one change', () => {
    const { parent, diff } = open({ before: linesOf('a', 'b', 'c'), after: linesOf('a', 'B', 'c') })
    assert.deepEqual(texts(parent, '.cm-deletedChunk'), ['b'])
    assert.deepEqual(texts(parent, '.cm-changedLine'), ['B'])
    assert.equal(diff.changesPx().length, 1)
  })

  test('in two columns a comparison has a separate editor for each version, and counts every change', () => {
    const before = linesOf('a', 'b', 'c', 'd', 'e', 'f', 'g')
    const after = linesOf('a', 'B', 'c', 'd', 'e', 'F', 'g')
    const { editors, diff } = open({ before, after, split: true })
    assert.deepEqual(editors, [
      ['Before', 'false', before.split('\n')],
      ['After', 'false', after.split('\n')],
    ])
    assert.equal(diff.changesPx().length, 2)
  })

  test('a comparison collapses long unchanged parts unless the whole file is shown', () => {
    const before = LONG.join('\n')
    const after = [...LONG.slice(0, 20), 'new', ...LONG.slice(20)].join('\n')
    for (const split of [false, true]) {
      const short = open({ before, after, split })
      assert.ok(texts(short.parent, '.cm-collapsedLines').length > 0)
      short.diff.close()
      const whole = open({ before, after, split, whole: true })
      assert.deepEqual(texts(whole.parent, '.cm-collapsedLines'), [])
      whole.diff.close()
    }
  })

  test('a comparison shows an added invisible character', () => {
    for (const split of [false, true]) {
      const { parent, diff } = open({ before: 'isAdmin()', after: 'isAd\u200bmin()', split })
      assert.ok(parent.querySelector('.cm-specialChar') !== null)
      diff.close()
    }
  })

  test('a comparison of equal texts counts no change', () => {
    for (const split of [false, true]) {
      const { diff } = open({ before: 'same', after: 'same', split })
      assert.deepEqual(diff.changesPx(), [])
      diff.close()
    }
  })

  test('lines that were removed at the end of a file are counted as a change', () => {
    const { diff } = open({ before: linesOf('a', 'b', 'c'), after: 'a' })
    assert.equal(diff.changesPx().length, 1)
  })

  test('closing a comparison removes its elements from the page', () => {
    for (const split of [false, true]) {
      const { parent, diff } = open({ before: 'a', after: 'b', split })
      diff.close()
      assert.equal(parent.childElementCount, 0)
    }
  })
})
