import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TreePage, TreeTicket } from '../../../api/types.ts'
import { type TreeOptions, treeKeyAction, viewTree } from './tree-rows.ts'

const treeTicket = (id: string, childCount = 0, openChildCount = childCount) =>
  ({ id, childCount, openChildCount }) as TreeTicket
const PAGES: Record<string, TreePage> = {
  'root/': { items: [treeTicket('a', 2), treeTicket('b')], nextCursor: 'c1' },
  'root/c1': { items: [treeTicket('c', 1, 0)], nextCursor: null },
  'a/': { items: [treeTicket('a1', 1), treeTicket('a2')], nextCursor: null },
}
const treeOptions = (
  expanded: string[] = [],
  pages: [string, number][] = [],
  active = false,
): TreeOptions => ({
  active,
  expanded: new Set(expanded),
  pages: new Map(pages),
})
const viewOf = (wanted: TreeOptions) => viewTree(wanted, ({ parent, cursor }) => PAGES[`${parent}/${cursor}`])
const outlineOf = (wanted: TreeOptions) => viewOf(wanted).rows.map(({ level, key }) => `${level} ${key}`)

describe('the rows of the ticket tree', () => {
  test('the tree first shows one page of top-level tickets, and the next page only on request', () => {
    assert.deepEqual(outlineOf(treeOptions()), ['1 a', '1 b', '1 more-root'])
    assert.deepEqual(outlineOf(treeOptions([], [['root', 2]])), ['1 a', '1 b', '1 c'])
  })

  test('an unfolded ticket of the tree shows its loaded children, or that they are loading', () => {
    assert.deepEqual(outlineOf(treeOptions(['a', 'a1'])), [
      '1 a',
      '2 a1',
      '3 loading-a1',
      '2 a2',
      '1 b',
      '1 more-root',
    ])
    assert.deepEqual(
      viewOf(treeOptions(['a', 'a1'])).pageKeys.map(({ parent, cursor }) => `${parent}/${cursor}`),
      ['root/', 'a/', 'a1/'],
    )
  })

  test('a ticket without open children cannot be unfolded while closed tickets are hidden', () => {
    const all = treeOptions(['c'], [['root', 2]])
    assert.equal(outlineOf(all).at(-1), '2 loading-c')
    assert.equal(outlineOf({ ...all, active: true }).at(-1), '1 c')
  })

  test('the left and right arrow keys fold and unfold tickets in the tree, or move up or down a level', () => {
    const folded = viewOf(treeOptions()).rows
    const open = viewOf(treeOptions(['a'])).rows
    assert.deepEqual(treeKeyAction(folded, 'a', 'ArrowRight', false), { toggle: 'a' })
    assert.deepEqual(treeKeyAction(open, 'a', 'ArrowRight', false), { focus: 'a1' })
    assert.deepEqual(treeKeyAction(open, 'a2', 'ArrowLeft', false), { focus: 'a' })
    assert.deepEqual(treeKeyAction(open, 'a', 'ArrowLeft', false), { toggle: 'a' })
    assert.equal(treeKeyAction(open, 'b', 'ArrowRight', false), null)
    assert.equal(treeKeyAction(open, 'b', 'ArrowLeft', false), null)
    assert.equal(treeKeyAction(open, 'gone', 'ArrowLeft', false), null)
  })
})
