import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { treeMove } from './tree-keys.ts'
import { treeRows } from './tree-rows.ts'

const ROWS = treeRows(['a/b/one.ts', 'a/two.ts', 'z.ts'], new Set(['a/']))
const moveInTree = (key: string, active: string | null) => treeMove(key, ROWS, active)

describe('keyboard control of the file tree', () => {
  test('in the file tree the up and down arrow keys move by one row, and Home and End move to the first and the last row', () => {
    assert.deepEqual(
      ROWS.map(({ path }) => path),
      ['a/', 'a/b/', 'a/two.ts', 'z.ts'],
    )
    assert.deepEqual(moveInTree('ArrowDown', 'a/'), { active: 'a/b/' })
    assert.deepEqual(moveInTree('ArrowUp', 'a/b/'), { active: 'a/' })
    assert.equal(moveInTree('ArrowUp', 'a/'), null)
    assert.equal(moveInTree('ArrowDown', 'z.ts'), null)
    assert.deepEqual(moveInTree('Home', 'z.ts'), { active: 'a/' })
    assert.deepEqual(moveInTree('End', 'a/'), { active: 'z.ts' })
  })

  test('without an active row of the file tree, the down arrow key moves to the first row and the up arrow key to the last', () => {
    assert.deepEqual(moveInTree('ArrowDown', null), { active: 'a/' })
    assert.deepEqual(moveInTree('ArrowUp', null), { active: 'z.ts' })
    assert.equal(moveInTree('Enter', null), null)
  })

  test('in the file tree the right arrow key opens or enters a folder, and the left one closes it or moves to its parent', () => {
    assert.deepEqual(moveInTree('ArrowRight', 'a/b/'), { toggle: 'a/b/' })
    assert.deepEqual(moveInTree('ArrowRight', 'a/'), { active: 'a/b/' })
    assert.deepEqual(moveInTree('ArrowLeft', 'a/'), { toggle: 'a/' })
    assert.deepEqual(moveInTree('ArrowLeft', 'a/two.ts'), { active: 'a/' })
    assert.equal(moveInTree('ArrowLeft', 'z.ts'), null)
    assert.equal(moveInTree('ArrowRight', 'z.ts'), null)
  })

  test('in the file tree Enter opens a file, and the space key toggles a folder', () => {
    assert.deepEqual(moveInTree('Enter', 'z.ts'), { choose: 'z.ts' })
    assert.deepEqual(moveInTree(' ', 'a/'), { toggle: 'a/' })
    assert.equal(moveInTree('x', 'a/'), null)
  })
})
