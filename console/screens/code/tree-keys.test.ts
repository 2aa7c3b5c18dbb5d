import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { treeMove } from './tree-keys.ts'
import { treeRows } from './tree-rows.ts'

const ROWS = treeRows(['a/b/one.ts', 'a/two.ts', 'z.ts'], new Set(['a/']))
const move = (key: string, active: string | null) => treeMove(key, ROWS, active)

describe('the keys of the file tree', () => {
  test('in the file tree the up and down keys move by one row, and Home and End move to the ends', () => {
    assert.deepEqual(
      ROWS.map(({ path }) => path),
      ['a/', 'a/b/', 'a/two.ts', 'z.ts'],
    )
    assert.deepEqual(move('ArrowDown', 'a/'), { active: 'a/b/' })
    assert.deepEqual(move('ArrowUp', 'a/b/'), { active: 'a/' })
    assert.equal(move('ArrowUp', 'a/'), null)
    assert.equal(move('ArrowDown', 'z.ts'), null)
    assert.deepEqual(move('Home', 'z.ts'), { active: 'a/' })
    assert.deepEqual(move('End', 'a/'), { active: 'z.ts' })
  })

  test('without an active row the down key moves to the first row of the file tree, the up key to the last', () => {
    assert.deepEqual(move('ArrowDown', null), { active: 'a/' })
    assert.deepEqual(move('ArrowUp', null), { active: 'z.ts' })
    assert.equal(move('Enter', null), null)
  })

  test('in the file tree the right key opens or enters a folder, and the left key closes it or moves to its parent', () => {
    assert.deepEqual(move('ArrowRight', 'a/b/'), { toggle: 'a/b/' })
    assert.deepEqual(move('ArrowRight', 'a/'), { active: 'a/b/' })
    assert.deepEqual(move('ArrowLeft', 'a/'), { toggle: 'a/' })
    assert.deepEqual(move('ArrowLeft', 'a/two.ts'), { active: 'a/' })
    assert.equal(move('ArrowLeft', 'z.ts'), null)
    assert.equal(move('ArrowRight', 'z.ts'), null)
  })

  test('in the file tree Enter opens a file, and the space key toggles a folder', () => {
    assert.deepEqual(move('Enter', 'z.ts'), { choose: 'z.ts' })
    assert.deepEqual(move(' ', 'a/'), { toggle: 'a/' })
    assert.equal(move('x', 'a/'), null)
  })
})
